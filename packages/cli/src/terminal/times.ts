const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Returns the milliseconds of a duration, such as `30m`. An empty text has no end.
 *
 * @throws {Error} for another text, with the form to use
 */
export function parseDuration(text: string): number {
  if (text === '') return Number.POSITIVE_INFINITY
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern lists the units
  if (count !== undefined) return Number(count) * unitsMs[unit as keyof typeof unitsMs]
  throw new Error('Use a duration such as 90s, 30m, 2h or 1d, or write the flag last without one')
}

const instant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/**
 * Returns the moment that a date and time with an offset name. Without an offset, nobody could say which moment is meant.
 *
 * @throws {Error} for another text, with the form to use
 */
export function parseInstant(text: string): Date {
  const moment = new Date(text)
  if (instant.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new Error('Use a date and time with its offset, such as 2026-12-01T08:00+01:00')
}
