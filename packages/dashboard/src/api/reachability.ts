/** Describes whether the server answers this page. */
export interface Reachability {
  /** True when the last reads failed, several in a row: what the page shows may be old. */
  readonly readsFail: boolean
  /** True when the last call got no response. */
  readonly isUnreachable: boolean
}

/** A read is tried three times, so one screen that fails is not yet the server. */
const failuresInARow = 4

const listeners = new Set<() => void>()
let failures = 0
let current: Reachability = { readsFail: false, isUnreachable: false }

/** Records the outcome of a call. `status` is 0 when there was no response. */
export function noteOutcome(method: string, status: number): void {
  const hasFailed = status === 0 || status >= 500
  if (!hasFailed) failures = 0
  else if (method === 'GET') failures += 1
  const next = { readsFail: failures >= failuresInARow, isUnreachable: status === 0 }
  const { readsFail, isUnreachable } = current
  if (next.readsFail === readsFail && next.isUnreachable === isUnreachable) return
  current = next
  for (const listener of listeners) listener()
}

/** Holds whether the server answers this page. */
export const reachability = {
  get: (): Reachability => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
