/** Returns the moment of a field for a local date and time as the API takes it. Empty: `undefined`. */
export function toMoment(local: string): string | undefined {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** Returns a moment as a field for a local date and time shows it. Example: `2026-12-01T08:00`. */
export function toLocal(at: string | null): string {
  if (at === null) return ''
  const moment = new Date(at)
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
