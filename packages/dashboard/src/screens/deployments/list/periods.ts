import { toDate } from '../../../components/group-days.ts'

/** Describes a period that ends today. */
export interface Period {
  readonly value: string
  readonly label: string
  /** Counts the days, today included. */
  readonly days: number
}

/** Lists the periods of the filter. */
export const periods: readonly Period[] = [
  { value: 'today', label: 'Today', days: 1 },
  { value: '7', label: 'Last 7 days', days: 7 },
  { value: '30', label: 'Last 30 days', days: 30 },
]

interface Days {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Returns the first and the last day of a period, in the reader's time zone. */
export function toDays({ days }: Period, now: Date): Days {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1))
  return { from: toDate(first), to: days === 1 ? toDate(now) : undefined }
}

/** Returns the value of the period between two days; `custom` for other days, `undefined` for none. */
export function findPeriod({ from, to }: Days, now: Date): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const match = periods.find((period) => {
    const days = toDays(period, now)
    return days.from === from && days.to === to
  })
  return match?.value ?? 'custom'
}
