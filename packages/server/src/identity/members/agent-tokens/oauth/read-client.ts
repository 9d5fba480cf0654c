import { Problem } from '@signalbox/contract'
import { givenDisplayName } from '@signalbox/contract/rest'
import { z } from 'zod'
import { EgressError, type EgressFailure } from '../../../../egress/egress-error.ts'
import type { Egress, OutboundAnswer } from '../../../../egress/create-egress.ts'
import { parseForeignJson } from '../../../../egress/foreign-json.ts'
import { parseClientId, type AssistantClient } from './client-id.ts'

/** Finds what assistants say about themselves at the address that is their `client_id`. */
export interface AssistantClients {
  /** Reads the document, or returns what was read lately. @throws {Problem} `assistant_unverified` */
  readClient(clientId: string): Promise<AssistantClient>
}

const document = z.object({
  client_id: z.string(),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(50),
  client_name: z.unknown(),
  // Left out, RFC 7591 §2 means a secret. A public document has none, so these assistants mean `none`.
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
})

/** `application/json`, or a type of its own that ends in `+json`. */
const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

const request = {
  headers: { accept: 'application/json' },
  timeoutMs: 5_000,
  maxBytes: 5 * 1024,
}
const keptMs = 10 * 60_000
/** A host that fails is left alone for a while. */
const failedMs = 5_000
const mostClients = 500

interface Known {
  readonly client: Promise<AssistantClient>
  /** Holds the moment at which the document is read again, in milliseconds. */
  until: number
}

/** Creates the reader of documents. They are read through the egress guard, and no redirect is followed. */
export function createAssistantClients({
  egress,
  now,
}: {
  readonly egress: Pick<Egress, 'request'>
  readonly now: () => Date
}): AssistantClients {
  const known = new Map<string, Known>()
  return {
    readClient(clientId) {
      const at = now().getTime()
      const before = known.get(clientId)
      if (before !== undefined && at < before.until) return before.client
      known.delete(clientId)
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= mostClients) known.delete(oldest)
      const entry: Known = { client: fetchClient(egress, clientId), until: at + keptMs }
      known.set(clientId, entry)
      entry.client.catch(() => {
        entry.until = now().getTime() + failedMs
      })
      return entry.client
    },
  }
}

async function fetchClient(
  egress: Pick<Egress, 'request'>,
  clientId: string,
): Promise<AssistantClient> {
  const url = parseClientId(clientId)
  if (url === undefined) {
    throw unverified(
      'Its client_id is not the https address of a document. Update the assistant, or give it an agent token instead.',
    )
  }
  const { status, headers, body } = await ask(egress, url)
  if (status !== 200) {
    throw unverified(
      `${url.host} answered ${status} instead of the document, and redirects are not followed. Try again later, or give the assistant an agent token instead.`,
    )
  }
  // Hosts show files that anybody has put there, as texts: these would speak in the name of the host.
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw unverified(
      `${url.host} does not send the document as application/json. Ask the assistant’s authors, or give it an agent token instead.`,
    )
  }
  const { data } = document.safeParse(parseJson(body))
  // A document for another client_id would let one host speak for another.
  if (data?.client_id !== clientId) {
    throw unverified(
      `The document at ${url.host} does not describe this assistant. Ask its authors, or give it an agent token instead.`,
    )
  }
  const name = givenDisplayName.safeParse(data.client_name)
  return {
    clientId,
    host: url.host,
    name: name.success ? name.data : null,
    redirectUris: data.redirect_uris,
  }
}

async function ask(egress: Pick<Egress, 'request'>, { href, host }: URL): Promise<OutboundAnswer> {
  try {
    return await egress.request(href, request)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw unverified(`${failures[error.code](host)} Or give the assistant an agent token instead.`)
  }
}

const unreachable = (host: string) => `${host} cannot be reached from this server. Try again later.`

const failures: Readonly<Record<EgressFailure, (host: string) => string>> = {
  invalid_url: (host) => `The address at ${host} does not begin with https.`,
  address_forbidden: (host) =>
    `${host} is no public address. An operator can name it in SIGNALBOX_EGRESS_ALLOW.`,
  timeout: unreachable,
  connection: unreachable,
  too_large: (host) => `The document at ${host} has more than 5 KB. Ask the assistant’s authors.`,
  encoding: (host) => `The document at ${host} is compressed. Ask the assistant’s authors.`,
}

function parseJson(body: Buffer): unknown {
  try {
    return parseForeignJson(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function unverified(detail: string): Problem {
  return new Problem('assistant_unverified', detail)
}
