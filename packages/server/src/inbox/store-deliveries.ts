import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/store.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { upsertDeliveries, type NewDelivery, type StoredDelivery } from './rows.ts'

/** `known`: it was stored before, and is not done once more. */
export type StoreOutcome = 'stored' | 'reopened' | 'known'

export interface DeliveryStore {
  /**
   * Stores a webhook with the job that does it, and answers after the commit.
   *
   * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`: nothing of it is stored.
   */
  add(delivery: Omit<NewDelivery, 'duplicates'>): Promise<StoreOutcome>
}

export interface DeliveryStoreDeps {
  readonly store: Pick<Store, 'maintenance' | 'announce'>
  readonly jobs: Pick<Jobs, 'enqueueAll'>
}

/** A row on its way, and everybody who waits for it: the provider may send a webhook twice in a moment. */
interface Waiting {
  readonly delivery: Omit<NewDelivery, 'duplicates'>
  readonly callers: {
    readonly resolve: (outcome: StoreOutcome) => void
    readonly reject: (error: unknown) => void
  }[]
}

const batchRowsMax = 200
const batchBytesMax = 16 * 1024 * 1024

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

function outcomeOf(own: string, stored: StoredDelivery | undefined): StoreOutcome {
  if (stored?.id === own) return 'stored'
  return stored?.before === 'failed' || stored?.before === 'dead' ? 'reopened' : 'known'
}

const keyOf = (of: { readonly provider: string; readonly deliveryId: string }): string =>
  `${of.provider} ${of.deliveryId}`

/** Stores a batch and its jobs in one transaction. Answers the outcome of each, by its key. */
async function commitBatch(
  { store, jobs }: DeliveryStoreDeps,
  batch: readonly Waiting[],
): Promise<Map<string, StoreOutcome>> {
  const rows = batch.map(({ delivery, callers }) => ({
    ...delivery,
    duplicates: callers.length - 1,
  }))
  return store.maintenance(async (tx) => {
    const stored = new Map((await upsertDeliveries(tx, rows)).map((row) => [keyOf(row), row]))
    const outcomes = new Map(
      rows.map((row) => [keyOf(row), outcomeOf(row.id, stored.get(keyOf(row)))]),
    )
    // As they came, which is not the order they were written in.
    const open = rows.flatMap((row) => {
      const found = stored.get(keyOf(row))
      return found === undefined || outcomes.get(keyOf(row)) === 'known' ? [] : [found]
    })
    await enqueueDeliveries(jobs, tx, open)
    return outcomes
  })
}

/**
 * Stores webhooks in groups: what waits when a transaction ends goes into the next together. One alone waits for nobody, and
 * a flood shares the price of a commit.
 */
export function createDeliveryStore(deps: DeliveryStoreDeps): DeliveryStore {
  const waiting = new Map<string, Waiting>()
  let isRunning = false

  const commitNext = async () => {
    const batch = takeBatch(waiting)
    try {
      const outcomes = await commitBatch(deps, batch)
      for (const { delivery, callers } of batch) {
        const outcome = outcomes.get(keyOf(delivery)) ?? 'known'
        callers.forEach(({ resolve }, at) => resolve(at === 0 ? outcome : 'known'))
      }
      deps.store.announce('jobs')
    } catch (error) {
      for (const { callers } of batch) callers.forEach(({ reject }) => reject(error))
    }
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
