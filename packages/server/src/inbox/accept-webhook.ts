import { Problem } from '@signalbox/contract'
import { newId } from '../crypto/ids.ts'
import { verifyMac } from '../crypto/verify-mac.ts'
import type { WebhookProvider } from '../providers/find-provider.ts'
import type { ReadHeader, WebhookScheme } from '../providers/webhook-scheme.ts'
import type { BodyRoom } from './body-room.ts'
import { packBody } from './packed-body.ts'
import type { DeliveryStore, StoreOutcome } from './store-deliveries.ts'

export interface AcceptDeps {
  readonly deliveries: DeliveryStore
  /** Returns what a provider signs with: several secrets while one is being replaced, none when it is not set up. */
  readonly secretsOf: (provider: string) => readonly string[]
  readonly room: BodyRoom
  readonly now: () => Date
}

/** A webhook that knocks. Its body is not read yet. */
export interface AcceptWebhook {
  readonly provider: WebhookProvider
  readonly header: ReadHeader
  /** @throws {Problem} `body_too_large`, `unsupported_encoding` */
  readonly readBytes: () => Promise<Buffer>
}

export type Accepted =
  | { readonly outcome: StoreOutcome }
  /** To be sent back as it is. */
  | { readonly outcome: 'challenge'; readonly answer: string }

/**
 * Takes a webhook: checks who sent it, stores it, and answers once that is committed. A request that claims no signature
 * is refused by its headers alone, and nothing is stored or understood before the signature is right.
 *
 * @throws {Problem} `invalid_signature`, `invalid_header`, `body_too_large`, `unsupported_encoding`, `overloaded`,
 * `db_unavailable`, `storage_full`, `read_only`
 */
export async function acceptWebhook(deps: AcceptDeps, webhook: AcceptWebhook): Promise<Accepted> {
  const { provider, header } = webhook
  const { scheme } = provider.webhooks
  const receivedAt = deps.now()
  const secrets = deps.secretsOf(provider.name)
  const claimed = secrets.length === 0 ? undefined : scheme.readMac(header, receivedAt)
  if (claimed === undefined) throw unsigned()
  const body = await deps.room.read(header('content-length'), webhook.readBytes)
  if (!verifyMac(secrets, claimed, body)) throw unsigned()
  const described = scheme.describe(header, body)
  if (described.type === 'challenge') return { outcome: 'challenge', answer: described.answer }
  if (described.type === 'malformed') throw new Problem('invalid_header', described.detail)
  const outcome = await deps.deliveries.add({
    id: newId('dlv', receivedAt),
    provider: provider.name,
    ...described.subject,
    headers: keepHeaders(scheme, header),
    ...(await packBody(body)),
    origin: 'push',
    receivedAt,
  })
  return { outcome }
}

/** The headers that say something about a webhook, cut to a sensible length. */
export function keepHeaders(
  { keptHeaders }: Pick<WebhookScheme, 'keptHeaders'>,
  header: ReadHeader,
): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name, value.slice(0, 500)]]
    }),
  )
}

/** One answer for every reason: what exactly is wrong helps only somebody who guesses. */
function unsigned(): Problem {
  const detail =
    'The signature of the body is missing, too old or not made with the secret that is set here for the provider.'
  return new Problem('invalid_signature', detail)
}
