import { toDate } from '../../components/group-days.ts'
import { quickRanges, type TimelineSearch } from './search.ts'

/** Describes the period that the timeline shows. A missing end is open. */
export interface Period {
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const minuteMs = 60_000
const spanMinutes = 30

/** Returns the period of an address. A range that ends now begins at a whole minute, so that it is read once a minute. */
export function toPeriod({ at, span, range, from, to }: TimelineSearch, now: Date): Period {
  if (at !== undefined) {
    const aroundMs = (span ?? spanMinutes) * minuteMs
    const moment = Date.parse(at)
    // A millisecond more, because the end itself is left out.
    return { from: toIso(moment - aroundMs), before: toIso(moment + aroundMs + 1) }
  }
  if (range !== undefined) {
    const minute = Math.floor(now.getTime() / minuteMs) * minuteMs
    return { from: toIso(minute - quickRanges[range]) }
  }
  return {
    ...(from !== undefined && { from: toIso(Date.parse(from)) }),
    ...(to !== undefined && { before: toIso(Date.parse(to)) }),
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Holds a moment as the two fields of the browser show it, in the reader's time zone. */
export interface MomentFields {
  /** Example: `2026-11-07`. */
  readonly date: string
  /** Example: `14:05`. */
  readonly time: string
}

function digits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Returns the fields of a moment; empty ones for none. */
export function toFields(at: string | undefined): MomentFields {
  if (at === undefined) return { date: '', time: '' }
  const moment = new Date(at)
  return {
    date: toDate(moment),
    time: `${digits(moment.getHours())}:${digits(moment.getMinutes())}`,
  }
}

/** Returns the moment of two fields, or `undefined` where they hold no date and time. */
function toMoment({ date, time }: MomentFields): Date | undefined {
  const moment = new Date(`${date}T${time}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/**
 * Returns the fields after a change of one. A date that is cleared takes its time with it: the end is open again. A date that
 * only followed from the time follows from the next time anew: a browser reports 2:30 AM while 2:30 PM is typed.
 */
export function changeFields(
  before: MomentFields,
  change: Partial<MomentFields>,
  isImplied: boolean,
): MomentFields {
  if (isImplied && change.time !== undefined) return { date: '', time: change.time }
  const isCleared = before.date !== '' && change.date === ''
  return isCleared ? { date: '', time: '' } : { ...before, ...change }
}

/** Returns whether a period ends before it begins, or at once, so that nothing can be in it. */
export function isReversed({ from, before }: Period): boolean {
  return from !== undefined && before !== undefined && Date.parse(before) <= Date.parse(from)
}

/**
 * Returns the first moment of a period. A time without a date is the last one that has passed: in the morning, 14:00 was
 * yesterday. A date without a time begins at midnight.
 */
export function readFrom({ date, time }: MomentFields, now: Date): string | undefined {
  if (date === '' && time === '') return undefined
  if (date !== '') return toMoment({ date, time: time === '' ? '00:00' : time })?.toISOString()
  return toLastPast(time, now)?.toISOString()
}

/**
 * Returns the end of a period. A time without a date is on the day of `from`, or on the day after where it would be before it. A
 * date without a time ends with that day.
 */
export function readTo(
  { date, time }: MomentFields,
  from: string | undefined,
  now: Date,
): string | undefined {
  if (date === '' && time === '') return undefined
  if (date !== '') return toMoment({ date, time: toEndTime(time) })?.toISOString()
  if (from === undefined) return toLastPast(time, now)?.toISOString()
  const end = toMoment({ date: toFields(from).date, time })
  if (end === undefined) return undefined
  if (end.getTime() <= Date.parse(from)) end.setDate(end.getDate() + 1)
  return end.toISOString()
}

/** Returns the time at which a day ends. The field shows its last minute, all of which belongs to the day. */
function toEndTime(time: string): string {
  return time === '' || time === '23:59' ? '23:59:59.999' : time
}

function toLastPast(time: string, now: Date): Date | undefined {
  const moment = toMoment({ date: toDate(now), time })
  if (moment === undefined) return undefined
  if (moment > now) moment.setDate(moment.getDate() - 1)
  return moment
}
