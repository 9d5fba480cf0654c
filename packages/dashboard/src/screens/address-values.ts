const day = /^\d{4}-\d{2}-\d{2}$/

/** Returns whether a value of the address is a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Returns whether a text is an existing date. Example: `2026-11-07`. */
export function isDay(value: unknown): value is string {
  return isText(value) && day.test(value) && !Number.isNaN(Date.parse(value))
}

/** Returns the texts of a list in the address, and none for anything else. */
export function readTexts(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}
