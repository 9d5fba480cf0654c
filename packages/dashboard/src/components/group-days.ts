/** Holds the items of one day in the reader's time zone. */
export interface Day<Item> {
  /** Example: `2026-11-07`. */
  readonly date: string
  readonly items: readonly Item[]
}

/** Groups items that are sorted by time into days of the reader's time zone. */
export function groupDays<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => string,
): readonly Day<Item>[] {
  const days = Map.groupBy(items, (item) => toDate(new Date(timeOf(item))))
  return [...days].map(([date, items]) => ({ date, items }))
}

/** Returns the date of a moment in the reader's time zone. */
export function toDate(at: Date): string {
  const month = String(at.getMonth() + 1).padStart(2, '0')
  return `${at.getFullYear()}-${month}-${String(at.getDate()).padStart(2, '0')}`
}

const dateFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** Returns the name of a day: `Today`, `Yesterday`, or its date. */
export function nameDay(date: string, now: Date): string {
  if (date === toDate(now)) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date === toDate(yesterday)) return 'Yesterday'
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  return dateFormat.format(new Date(year, month - 1, day))
}
