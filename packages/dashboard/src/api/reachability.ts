import { createStore, type Store } from '../browser/store.ts'

/** Describes whether the server answers this page. */
export interface Reachability {
  /** True when the last reads failed, several in a row: what the page shows may be old. */
  readonly readsFail: boolean
  /** True when the last call got no response. */
  readonly isUnreachable: boolean
}

/** A read is tried three times, so one screen that fails is not yet the server. */
const failuresInARow = 4

let failures = 0
const current = createStore<Reachability>({ readsFail: false, isUnreachable: false })

/** Records the outcome of a call. `status` is 0 when there was no response. */
export function noteOutcome(method: string, status: number): void {
  const hasFailed = status === 0 || status >= 500
  if (!hasFailed) failures = 0
  else if (method === 'GET') failures += 1
  const next = { readsFail: failures >= failuresInARow, isUnreachable: status === 0 }
  const { readsFail, isUnreachable } = current.get()
  if (next.readsFail === readsFail && next.isUnreachable === isUnreachable) return
  current.set(next)
}

/** Holds whether the server answers this page. */
export const reachability: Pick<Store<Reachability>, 'get' | 'subscribe'> = current
