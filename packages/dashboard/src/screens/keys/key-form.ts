const dayMs = 86_400_000

/** When a key of so many days ends; `null`: never. */
export function toExpiry(days: string, now: Date): string | null {
  return days === '' ? null : new Date(now.getTime() + Number(days) * dayMs).toISOString()
}

/** The lines that are not empty; `null` when there is none. */
export function readLines(text: string): string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}
