import { Problem } from '@signalbox/contract'
import { givenDisplayName } from '@signalbox/contract/rest'
import { z } from 'zod'
import { EgressError, type EgressFailure } from '../../../../egress/egress-error.ts'
import type { Egress } from '../../../../egress/create-egress.ts'
import { readForeignJson } from '../../../../egress/foreign-json.ts'
import type { Log } from '../../../../telemetry/log.ts'
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

/** Describes the dependencies of `createAssistantClients`. */
interface ClientDeps {
  readonly egress: Pick<Egress, 'request'>
  readonly log: Log
  readonly now: () => Date
}

/** Creates the reader of documents. They are read through the egress guard, and no redirect is followed. */
export function createAssistantClients(deps: ClientDeps): AssistantClients {
  const { now } = deps
  const known = new Map<string, Known>()
  return {
    readClient(clientId) {
      const at = now().getTime()
      const before = known.get(clientId)
      if (before !== undefined && at < before.until) return before.client
      known.delete(clientId)
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= mostClients) known.delete(oldest)
      const entry: Known = { client: fetchClient(deps, clientId), until: at + keptMs }
      known.set(clientId, entry)
      entry.client.catch(() => {
        entry.until = now().getTime() + failedMs
      })
      return entry.client
    },
  }
}

async function fetchClient(
  { egress, log }: ClientDeps,
  clientId: string,
): Promise<AssistantClient> {
  const url = parseClientId(clientId)
  if (url === undefined) {
    throw unverified(
      'Its client_id is not the https address of a document. Update the assistant, or give it an agent token instead.',
    )
  }
  const read = await readDocument(egress, url.href)
  // A document for another client_id would let one host speak for another.
  const rejection = typeof read === 'string' ? read : 'another_client'
  if (typeof read === 'string' || read.client_id !== clientId) {
    log.info('The document of an assistant was refused', { host: url.host, code: rejection })
    // The same words whatever came: they would tell who asks what answers at an address of their choice.
    throw unverified(
      `The document at ${url.host} cannot be used. It has to be public: sent with 200 and as application/json, 5 KB at most, about this very client_id, and without a redirect. Try again later, ask the assistant’s authors, or give it an agent token instead. The log of this server says what was wrong.`,
    )
  }
  const name = givenDisplayName.safeParse(read.client_name)
  return {
    clientId,
    host: url.host,
    name: name.success ? name.data : null,
    redirectUris: read.redirect_uris,
  }
}

/** Returns what an address says about a client, or in a word why it says nothing. */
async function readDocument(
  egress: ClientDeps['egress'],
  href: string,
): Promise<z.output<typeof document> | EgressFailure | `http_${number}` | 'no_document'> {
  try {
    const { status, headers, body } = await egress.request(href, request)
    if (status !== 200) return `http_${status}`
    // Hosts show files that anybody has put there, as texts: these would speak in the name of the host.
    const isJson = jsonType.test(headers['content-type'] ?? '')
    return document.safeParse(isJson ? readForeignJson(body) : undefined).data ?? 'no_document'
  } catch (error) {
    if (error instanceof EgressError) return error.code
    throw error
  }
}

function unverified(detail: string): Problem {
  return new Problem('assistant_unverified', detail)
}
