import { listOwnedAccounts } from '../integrations/rows.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store, Tx } from '../store/store.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { countRepeats, insertDeliveries, type NewDelivery } from './rows.ts'

/** Names what storing did: `stored` anew, `reopened` after a failure, or `known` and not processed again. */
export type StoreOutcome = 'stored' | 'reopened' | 'known'

/** Stores webhooks. */
export interface DeliveryStore {
  /**
   * Stores a webhook with the job that processes it, and returns after the commit.
   *
   * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`: nothing of it is stored.
   */
  add(delivery: Omit<NewDelivery, 'duplicates'>): Promise<StoreOutcome>
}

/** Describes the dependencies of `createDeliveryStore`. */
export interface DeliveryStoreDeps {
  readonly store: Pick<Store, 'intake' | 'announce'>
  readonly jobs: Pick<Jobs, 'enqueueAll'>
}

/** Holds a row that is to be stored, and all callers that wait for it: a provider may send a webhook twice in a moment. */
interface Waiting {
  readonly delivery: Omit<NewDelivery, 'duplicates'>
  readonly callers: {
    readonly resolve: (outcome: StoreOutcome) => void
    readonly reject: (error: unknown) => void
  }[]
}

const batchRowsMax = 200
const batchBytesMax = 16 * 1024 * 1024
/** Limits announcements to workers during a flood: each costs a transaction. The end of a flood is always announced. */
const announceEveryMs = 100

/** Removes from `waiting` what goes into one transaction. */
function takeBatch(waiting: Map<string, Waiting>): Waiting[] {
  const batch: Waiting[] = []
  let sizeBytes = 0
  for (const [key, entry] of waiting) {
    sizeBytes += entry.delivery.body.length
    if (batch.length > 0 && (batch.length === batchRowsMax || sizeBytes > batchBytesMax)) break
    waiting.delete(key)
    batch.push(entry)
  }
  return batch
}

const keyOf = (of: { readonly provider: string; readonly deliveryId: string }): string =>
  `${of.provider} ${of.deliveryId}`

/** Adds the organizations of their accounts, so that people see webhooks that wait. Which one counts is decided when each is processed. */
async function addOwners(tx: Tx, rows: readonly NewDelivery[]): Promise<readonly NewDelivery[]> {
  const accounts = rows.flatMap(({ provider, accountId }) =>
    accountId === null ? [] : { provider, accountId },
  )
  if (accounts.length === 0) return rows
  const owned = await listOwnedAccounts(tx, accounts)
  const owners = new Map(owned.map((of) => [`${of.provider} ${of.accountId}`, of.orgId]))
  return rows.map((row) => ({ ...row, orgId: owners.get(`${row.provider} ${row.accountId}`) }))
}

/** Stores a batch and its jobs in one transaction. Returns, by key, the outcome of each webhook that was not stored anew. */
async function commitBatch(
  { store, jobs }: DeliveryStoreDeps,
  batch: readonly Waiting[],
): Promise<Map<string, StoreOutcome>> {
  const rows = batch.map(({ delivery, callers }) => ({
    ...delivery,
    duplicates: callers.length - 1,
  }))
  return store.intake(async (tx) => {
    const stored = await insertDeliveries(tx, await addOwners(tx, rows))
    const repeats = rows.filter(({ id }) => !stored.has(id))
    const known = repeats.length === 0 ? [] : await countRepeats(tx, repeats)
    const reopened = known.filter(({ isReopened }) => isReopened)
    // In the order in which they came: rows are written in another.
    await enqueueDeliveries(jobs, tx, [...rows.filter(({ id }) => stored.has(id)), ...reopened])
    return new Map([
      ...repeats.map((row) => [keyOf(row), 'known'] as const),
      ...reopened.map((row) => [keyOf(row), 'reopened'] as const),
    ])
  })
}

/**
 * Creates a store that writes webhooks in batches: all that wait when a transaction ends go into the next one. A single
 * webhook waits for none, and those of a flood share the cost of a commit.
 */
export function createDeliveryStore(deps: DeliveryStoreDeps): DeliveryStore {
  const waiting = new Map<string, Waiting>()
  let isRunning = false
  let announcedAt = -Infinity

  const announce = () => {
    const at = performance.now()
    if (waiting.size > 0 && at - announcedAt < announceEveryMs) return
    announcedAt = at
    deps.store.announce('jobs')
  }
  const commitNext = async () => {
    const batch = takeBatch(waiting)
    try {
      const outcomes = await commitBatch(deps, batch)
      for (const { delivery, callers } of batch) {
        const outcome = outcomes.get(keyOf(delivery)) ?? 'stored'
        callers.forEach(({ resolve }, at) => resolve(at === 0 ? outcome : 'known'))
      }
    } catch (error) {
      for (const { callers } of batch) callers.forEach(({ reject }) => reject(error))
    }
    announce()
  }
  const run = async () => {
    isRunning = true
    while (waiting.size > 0) await commitNext()
    isRunning = false
  }
  return {
    add: (delivery) =>
      new Promise((resolve, reject) => {
        const caller = { resolve, reject }
        const same = waiting.get(keyOf(delivery))
        if (same === undefined) waiting.set(keyOf(delivery), { delivery, callers: [caller] })
        else same.callers.push(caller)
        if (!isRunning) void run()
      }),
  }
}
