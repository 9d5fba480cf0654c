import type { Tx } from './store.ts'

/** Runs SQL that is made at run time, so that preparing it under a name would only fill the server's memory. */
export async function rawQuery<R extends object>(
  tx: Tx,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return tx.query<R>({ name: '', text, values })
}
