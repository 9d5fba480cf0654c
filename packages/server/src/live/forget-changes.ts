import type { Store } from '../store/store.ts'

/** Longer than any node goes on without a look at them: what it has not seen by then, it says it has missed. */
const keptMinutes = 15
const batchMax = 10_000

/** Removes what changed long ago: it is kept for the streams of dashboards alone. */
export async function forgetChanges({
  store,
}: {
  readonly store: Pick<Store, 'maintenance'>
}): Promise<void> {
  let removed = batchMax
  while (removed === batchMax) {
    const rows = await store.maintenance((tx) =>
      tx.query({
        name: 'forget-live-changes',
        text: `delete from live_changes where ctid = any (array(
          select ctid from live_changes where at < now() - $1 * interval '1 minute' limit $2)) returning 1`,
        values: [keptMinutes, batchMax],
      }),
    )
    removed = rows.length
  }
}
