import { newId } from '../crypto/ids.ts'
import type { DeliveryLog, LoggedDelivery } from '../providers/delivery-log.ts'
import type { WebhookProvider } from '../providers/find-provider.ts'
import type { ReadHeader } from '../providers/webhooks/webhook-claim.ts'
import type { Store } from '../store/store.ts'
import { keepHeaders } from './accept-webhook.ts'
import { packBody } from './packed-body.ts'
import { findReadUntil, listKnownDeliveries, saveReadUntil } from './rows.ts'
import type { DeliveryStore } from './store-deliveries.ts'

/** Describes the dependencies of `pullDeliveries`. */
export interface PullDeps {
  readonly provider: WebhookProvider
  readonly log: DeliveryLog
  readonly store: Pick<Store, 'maintenance'>
  readonly deliveries: DeliveryStore
  readonly now: () => Date
}

/** Describes how far a pull came. */
export interface Pulled {
  /** Counts the webhooks that had not reached this server. */
  readonly missed: number
  /** True when the log was read back to the last pull. Otherwise the next pull goes on. */
  readonly isComplete: boolean
}

const pagesMax = 50
const contentsMax = 500
/** Reads the log again from ten minutes before: a line may be written a little later than its delivery. */
const overlapMs = 10 * 60_000

/**
 * Imports the webhooks that a provider has sent and this server lacks: it was down, or a backup was restored. Fetches none that
 * are stored, so that a pull after an interruption goes on where that one stopped.
 *
 * @throws {ProviderError} when the provider does not answer. The webhooks imported before stay.
 */
export async function pullDeliveries(deps: PullDeps, signal: AbortSignal): Promise<Pulled> {
  const { log, store } = deps
  const provider = deps.provider.name
  const readUntil = await store.maintenance((tx) => findReadUntil(tx, provider))
  const since = (readUntil?.getTime() ?? 0) - overlapMs
  let newest = readUntil
  let cursor: string | undefined
  let missed = 0
  for (let page = 0; page < pagesMax; page += 1) {
    signal.throwIfAborted()
    const { deliveries, nextCursor } = await log.listDeliveries(cursor, signal)
    for (const { deliveredAt } of deliveries) {
      if (newest === undefined || deliveredAt > newest) newest = deliveredAt
    }
    const recent = deliveries.filter(({ deliveredAt }) => deliveredAt.getTime() >= since)
    const missing = await findMissing(deps, recent)
    const budget = contentsMax - missed
    for (const line of missing.slice(0, budget)) missed += await importLine(deps, line, signal)
    if (missing.length > budget) return { missed, isComplete: false }
    if (nextCursor === undefined || recent.length < deliveries.length) {
      await keepWatermark(deps, newest)
      return { missed, isComplete: true }
    }
    cursor = nextCursor
  }
  return { missed, isComplete: false }
}

async function keepWatermark({ store, provider }: PullDeps, newest: Date | undefined) {
  if (newest !== undefined)
    await store.maintenance((tx) => saveReadUntil(tx, provider.name, newest))
}

/** Returns the lines of deliveries that are not stored, one for each delivery, the oldest first. */
async function findMissing(
  { store, provider }: PullDeps,
  lines: readonly LoggedDelivery[],
): Promise<LoggedDelivery[]> {
  const byDelivery = new Map(lines.map((line) => [line.deliveryId, line]))
  const ids = [...byDelivery.keys()]
  const known = await store.maintenance((tx) => listKnownDeliveries(tx, provider.name, ids))
  return [...byDelivery.values()]
    .filter(({ deliveryId }) => !known.has(deliveryId))
    .toSorted((a, b) => a.deliveredAt.getTime() - b.deliveredAt.getTime())
}

/** Returns how many webhooks were stored: 0 when the provider has deleted it, or when it has come by itself meanwhile. */
async function importLine(
  { provider, log, deliveries, now }: PullDeps,
  { logId, deliveryId }: LoggedDelivery,
  signal: AbortSignal,
): Promise<number> {
  const content = await log.getDelivery(logId, signal)
  if (content === undefined) return 0
  const { scheme } = provider.webhooks
  const sent = new Map(
    Object.entries(content.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const header: ReadHeader = (name) => sent.get(name)
  const described = scheme.describe(header, content.body)
  if (described.type !== 'webhook') return 0
  const receivedAt = now()
  const outcome = await deliveries.add({
    id: newId('dlv', receivedAt),
    provider: provider.name,
    ...described.subject,
    deliveryId,
    headers: keepHeaders(scheme, header),
    body: await packBody(content.body),
    origin: 'pull',
    receivedAt,
  })
  return outcome === 'stored' ? 1 : 0
}
