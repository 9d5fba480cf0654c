import { cutText, Problem } from '@signalbox/contract'
import { newId } from '../crypto/ids.ts'
import type { WebhookConnection } from '../integrations/webhooks/webhook-secrets.ts'
import type { WebhookProvider } from '../providers/find-provider.ts'
import type { ReadHeader } from '../providers/webhooks/webhook-claim.ts'
import type { WebhookScheme } from '../providers/webhooks/webhook-scheme.ts'
import { packBody } from './packed-body.ts'
import type { DeliveryStore, StoreOutcome } from './store-deliveries.ts'

/** Describes the dependencies of `acceptWebhook`. */
export interface AcceptDeps {
  readonly deliveries: DeliveryStore
  /**
   * Returns what proves the webhooks of a provider: several secrets while one is being replaced, or keys that it publishes. None
   * when it is not set up. @throws {Problem} `provider_error` when the keys cannot be fetched.
   */
  readonly secretsOf: (provider: WebhookProvider) => readonly string[] | Promise<readonly string[]>
  /** Finds the connection of an id, with the secrets that the provider signs its webhooks with. */
  readonly findConnection: (provider: string, id: string) => Promise<WebhookConnection | undefined>
  readonly now: () => Date
}

/** Describes a webhook whose headers are read and whose body is not. */
export interface AcceptWebhook {
  readonly provider: WebhookProvider
  /** The id of the connection that the address names. */
  readonly connection?: string
  readonly header: ReadHeader
  /** @throws {Problem} `body_too_large`, `unsupported_encoding`, `overloaded` */
  readonly readBytes: () => Promise<Buffer>
}

/** Describes how a webhook is answered: by the status that the provider wants, and by the text of a challenge. */
export interface Accepted {
  readonly outcome: StoreOutcome | 'challenge'
  readonly status: 200 | 202 | 204
  /** Sent back as it is. */
  readonly answer: string
}

/**
 * Verifies the signature of a webhook, stores it and returns once that is committed. Refuses a request without a signature
 * by its headers alone, and parses and stores nothing before the signature is right. One that is signed and no JSON is
 * stored before it is refused: processing ignores it with that reason, so that people find it.
 *
 * @throws {Problem} `invalid_signature`, `invalid_header`, `invalid_json`, `body_too_large`, `unsupported_encoding`, `overloaded`,
 * `db_unavailable`, `storage_full`, `read_only`
 */
export async function acceptWebhook(deps: AcceptDeps, webhook: AcceptWebhook): Promise<Accepted> {
  const { provider, header } = webhook
  const { scheme } = provider.webhooks
  const receivedAt = deps.now()
  const claimed = scheme.readClaim(header, receivedAt)
  if (claimed === undefined) throw unsigned()
  const { secrets, connection } = await findSecrets(deps, webhook)
  if (secrets.length === 0) throw unsigned()
  const body = await webhook.readBytes()
  if (!claimed.isVerifiedBy(secrets, body)) throw unsigned()
  const described = scheme.describe(header, body)
  const status = scheme.storedStatus ?? 202
  if (described.type === 'challenge') {
    const { answer } = described
    return { outcome: 'challenge', status: answer === '' ? status : 200, answer }
  }
  if (described.type === 'malformed') throw new Problem('invalid_header', described.detail)
  const outcome = await deps.deliveries.add({
    id: newId('dlv', receivedAt),
    provider: provider.name,
    ...described.subject,
    ...(connection && ownSubject(connection, described.subject.deliveryId)),
    headers: keepHeaders(scheme, header),
    body: await packBody(body),
    origin: 'push',
    receivedAt,
  })
  if (!described.isJson) throw new Problem('invalid_json', notJson)
  return { outcome, status, answer: '' }
}

interface SignedBy {
  readonly secrets: readonly string[]
  readonly connection?: WebhookConnection
}

async function findSecrets(
  deps: AcceptDeps,
  { provider, connection: id }: AcceptWebhook,
): Promise<SignedBy> {
  if (id === undefined) return { secrets: await deps.secretsOf(provider) }
  const connection = await deps.findConnection(provider.name, id)
  return connection === undefined ? { secrets: [] } : { secrets: connection.secrets, connection }
}

/**
 * Keeps the deliveries of connections apart. Whoever signs for one connection may choose any id, also one that another
 * connection’s provider is about to send.
 */
function ownSubject({ integrationId, accountId }: WebhookConnection, deliveryId: string) {
  return { deliveryId: `${integrationId}:${deliveryId}`, accountId }
}

const notJson =
  'The signature is valid, but the body is not JSON. Signalbox keeps the bytes and does nothing else.'

/** Returns the headers that are stored with a webhook, each cut to 500 characters. */
export function keepHeaders(
  { keptHeaders }: Pick<WebhookScheme, 'keptHeaders'>,
  header: ReadHeader,
): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name, cutText(value, 500)]]
    }),
  )
}

/** Answers the same for every reason: a precise one would only help to guess. */
function unsigned(): Problem {
  const detail =
    'The signature of the body is missing, too old, or made with another secret than the one of this server.'
  return new Problem('invalid_signature', detail)
}
