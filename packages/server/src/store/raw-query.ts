import type { Tx } from './store.ts'

/**
 * Runs SQL that is built at run time. It is not prepared under a name, because that would only fill the server's
 * memory.
 */
export async function rawQuery<R extends object>(
  tx: Tx,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return tx.query<R>({ name: '', text, values })
}
