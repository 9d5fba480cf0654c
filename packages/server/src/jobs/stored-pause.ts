/** Limits the pause that another service asks for, in milliseconds. A longer stored pause comes from a clock that was ahead. */
const askedPauseMsMax = 3_600_000

/** Cuts a pause that another service asks for. */
export function cutPause(until: Date, now: Date): Date {
  return new Date(Math.min(until.getTime(), now.getTime() + askedPauseMsMax))
}

/** Returns whether a stored pause goes on. One that is longer than any comes from a clock that was ahead, and is over. */
export function isPaused(until: Date | null, now: Date, longestMs = askedPauseMsMax): boolean {
  const leftMs = (until?.getTime() ?? 0) - now.getTime()
  return leftMs > 0 && leftMs <= longestMs
}

/** Returns SQL that is true once a stored pause is over, as `isPaused` says it. `column` may be null. */
export function isOverSql(column: string, now: string, longest = '1 hour'): string {
  return `(${column} is null or ${column} <= ${now} or ${column} > ${now}::timestamptz + interval '${longest}')`
}
