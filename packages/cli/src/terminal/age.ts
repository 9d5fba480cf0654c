/** Returns a duration in the largest unit that fits. Example: `3 hours`. */
export function renderAge(from: Date, to: Date): string {
  const seconds = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000))
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const
  const unit = units.find(([size]) => seconds >= size)
  const count = unit === undefined ? seconds : Math.floor(seconds / unit[0])
  return `${count} ${unit?.[1] ?? 'second'}${count === 1 ? '' : 's'}`
}
