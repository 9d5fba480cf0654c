import type { Store } from '../store/store.ts'

/** Exceeds the longest pause between two polls. After a longer one a node reports a gap. */
const keptMinutes = 15
const batchMax = 10_000

/** Deletes old changes, which are kept only for the streams of dashboards. */
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
