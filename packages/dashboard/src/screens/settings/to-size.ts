const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Returns an amount of bytes in three digits at most. Examples: `512 B`, `8.1 MB`, `120 GB`. */
export function toSize(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const amount = bytes / 1000 ** step
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`
}
