import { weekdays, type GateRule } from '@signalbox/contract/rest'

/** Describes a window of time in which nothing is deployed. */
export type FreezeWindow = Extract<GateRule, { readonly rule: 'freeze' }>['windows'][number]

const dayMinutes = 24 * 60
type Weekday = (typeof weekdays)[number]

/** Returns whether a window is open at a moment, by the clock of its zone; `undefined` where this process does not know the zone. */
export function isWindowOpen(window: FreezeWindow, now: Date): boolean | undefined {
  const clock = readClock(window.zone, now)
  if (clock === undefined) return undefined
  const from = toMinutes(window.from)
  const to = toMinutes(window.to)
  const isOn = (day: Weekday) => window.days.includes(day)
  if (from < to) return isOn(clock.day) && clock.minutes >= from && clock.minutes < to
  // It ends on the next day.
  return (
    (isOn(clock.day) && clock.minutes >= from) || (isOn(dayBefore(clock.day)) && clock.minutes < to)
  )
}

/** Returns whether a name is a time zone that this process knows. */
export function isKnownZone(zone: string): boolean {
  return readClock(zone, new Date(0)) !== undefined
}

interface Clock {
  readonly day: Weekday
  readonly minutes: number
}

function readClock(zone: string, at: Date): Clock | undefined {
  const format = formatOf(zone)
  if (format === undefined) return undefined
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const name = parts.get('weekday')?.toLowerCase()
  const day = weekdays.find((known) => known === name)
  if (day === undefined) return undefined
  return { day, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}

const formats = new Map<string, Intl.DateTimeFormat>()
const formatsMax = 200

/** Keeps the formats: making one takes longer than all the rest. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone)
  if (known !== undefined) return known
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    if (formats.size < formatsMax) formats.set(zone, made)
    return made
  } catch {
    return undefined
  }
}

function toMinutes(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':')
  return (Number(hours) * 60 + Number(minutes)) % dayMinutes
}

function dayBefore(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + weekdays.length - 1) % weekdays.length] ?? day
}
