/**
 * The generic cell rate algorithm (ITU-T I.371): a token bucket as one number, the moment until which the calls so far
 * have spent the rate. It decides without I/O; callers store the number, in memory or in a row.
 */

/** Describes a rate: a call each `intervalMs`, and `burst` of them together after a pause. */
export interface CellRate {
  readonly intervalMs: number
  /** At least 1. */
  readonly burst: number
}

/** Returns how far the spent moment may lie ahead of a call that is allowed. */
export function toleranceMs({ intervalMs, burst }: CellRate): number {
  return (burst - 1) * intervalMs
}

/** Returns the moment from which the next call is allowed. */
export function opensAtMs(rate: CellRate, spentUntilMs: number): number {
  return spentUntilMs - toleranceMs(rate)
}

/** Returns the moment until which the rate is spent after a call at `nowMs`. */
export function spendCall({ intervalMs }: CellRate, spentUntilMs: number, nowMs: number): number {
  return Math.max(spentUntilMs, nowMs) + intervalMs
}
