import { useEffect, useReducer } from 'react'

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const

/** Returns the age of something in one unit: `just now`, `7m ago`, `3h ago`, `12d ago`. */
export function toAge(ageMs: number): string {
  const unit = units.find(([, ms]) => Math.abs(ageMs) >= ms)
  // Clocks differ: something new on the server may lie in the future here.
  if (unit === undefined) return ageMs < -10_000 ? 'in under 1m' : 'just now'
  const [name, ms] = unit
  // Rounds, so that a moment seven days ahead is still seven days ahead a second later.
  return ageMs < 0 ? `in ${Math.round(-ageMs / ms)}${name}` : `${Math.floor(ageMs / ms)}${name} ago`
}

/** Returns a duration in at most two units: `480 ms`, `74 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const [large, small, names] =
    minutes < 24 * 60
      ? [Math.floor(minutes / 60), minutes % 60, ['h', 'min']]
      : [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), ['d', 'h']]
  return small === 0 ? `${large} ${names[0]}` : `${large} ${names[0]} ${small} ${names[1]}`
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** Names the time zone of the browser, in which all times are shown. Example: `Europe/Vienna`. */
export const timeZone = exact.resolvedOptions().timeZone

/** Returns a moment to the second with its time zone, in the browser's language. */
export function toExactTime(at: string): string {
  return exact.format(new Date(at))
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Returns the time of day to the second. */
export function toClock(at: Date): string {
  return clock.format(at)
}

/** Renders the age of something, updated over time, with the exact moment as its tooltip. */
export function Age({ at }: { readonly at: string }) {
  // The moment may be newer than the last tick, so each rendering asks the clock.
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={toExactTime(at)} className="whitespace-nowrap">
      {toAge(Date.now() - Date.parse(at))}
    </time>
  )
}

/** Renders the time of day, with the age of it as its tooltip. The day stands above the list. */
export function ClockTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={toAge(Date.now() - Date.parse(at))} className="whitespace-nowrap">
      {toClock(new Date(at))}
    </time>
  )
}
