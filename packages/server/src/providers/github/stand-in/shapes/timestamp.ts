/** Returns a date in ISO 8601 to the second, as GitHub writes dates. Example: `2026-01-31T09:30:00Z`. */
export function toTimestamp(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z')
}
