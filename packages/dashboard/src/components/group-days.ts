/** Describes what happened on one day of the reader's calendar. */
export interface Day<Item> {
  /** Example: `2026-11-07`. */
  readonly date: string
  readonly items: readonly Item[]
}

/** Puts what is sorted by time into the days of the reader. */
export function groupDays<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => string,
): readonly Day<Item>[] {
  const days = Map.groupBy(items, (item) => toDate(new Date(timeOf(item))))
  return [...days].map(([date, items]) => ({ date, items }))
}

/** Returns the day of a moment where the reader is. */
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

/** Returns what a day is called: `Today`, `Yesterday`, or its date. */
export function nameDay(date: string, now: Date): string {
  if (date === toDate(now)) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date === toDate(yesterday)) return 'Yesterday'
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  return dateFormat.format(new Date(year, month - 1, day))
}
