import type { Period } from '../../store/partitions.ts'

/** Returns the month of UTC in which a moment is, in microseconds since 1970. */
export function monthOf(micros: number): Period {
  const at = new Date(Math.floor(micros / 1000))
  const monthAt = (months: number) =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
  return { begins: monthAt(0), ends: monthAt(1) }
}

/** Returns whether a month was over at a moment. */
export function hasEnded({ ends }: Period, at: Date): boolean {
  return ends.getTime() <= at.getTime()
}
