/** Lists the units of an offset, largest first. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Returns the time since the first step in words: `right away`, `96 seconds later`, `3 hours later`, `1 day 4 hours later`. */
export function toOffset(at: string, start: string): string {
  const ms = Date.parse(at) - Date.parse(start)
  if (ms < 1000) return 'right away'
  if (ms < 120_000) return `${count(Math.round(ms / 1000), 'second')} later`
  const first = units.findIndex(([, unitMs]) => ms >= unitMs)
  const [unit, unitMs] = units[first] ?? units[3]
  const amount = Math.floor(ms / unitMs)
  const [smaller, smallerMs] = units[first + 1] ?? units[3]
  const rest = Math.floor((ms % unitMs) / smallerMs)
  const isExact = rest === 0 || smaller === 'second'
  return `${count(amount, unit)}${isExact ? '' : ` ${count(rest, smaller)}`} later`
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}
