/** Describes the unit of durations on an axis. */
export interface TimeUnit {
  readonly name: 'd' | 'h' | 'min' | 's' | 'ms'
  readonly ms: number
}

const units: readonly TimeUnit[] = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
]

/** Sets how many units an axis needs, or else it takes the next smaller unit: 36 h rather than 1.5 d. */
const fewest = 3

/** Returns the unit in which an axis up to `largest` milliseconds has round numbers. Zero alone gets minutes. */
export function pickTimeUnit(largest: number): TimeUnit {
  if (largest === 0) return { name: 'min', ms: 60_000 }
  return units.find(({ ms }) => largest >= fewest * ms) ?? { name: 'ms', ms: 1 }
}
