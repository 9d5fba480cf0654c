import { noData } from './readings.ts'
import type { Reading, SignalRow } from './signal.ts'

/** Begins the names of alerts that have no end of their own, and of those that say that there is no data. */
export const withoutEnd = 'event:'
export const withoutData = 'nodata:'

const eventMs = 5 * 60_000

/** Lists what fires at a moment: the name of each alert and since when. One without an end counts for five minutes. */
export function listActive(firing: SignalRow['firing'], now: Date): [name: string, from: string][] {
  return Object.entries(firing).filter(
    ([name, from]) => !name.startsWith(withoutEnd) || now.getTime() - Date.parse(from) < eventMs,
  )
}

/**
 * Reads a signal from the alerts that were sent to it. One that fired before the change says nothing about it until it resolves, and
 * neither does silence before anything was heard.
 */
export function readAlert(
  { firing, heardAt }: Pick<SignalRow, 'firing' | 'heardAt'>,
  since: Date,
  now: Date,
): Reading {
  if (heardAt === null) return noData('has sent nothing yet')
  const active = listActive(firing, now)
  const heard = active.filter(([name]) => !name.startsWith(withoutData))
  const fresh = heard.filter(([, from]) => new Date(from) >= since)
  if (fresh.length > 0) {
    const what = fresh.length === 1 ? 'an alert is firing' : `${fresh.length} alerts are firing`
    return { verdict: 'bad', value: fresh.length, detail: `says that ${what}` }
  }
  if (heard.length > 0) return noData('was firing before the change already')
  if (active.length > 0) return noData('says that it has no data itself')
  return { verdict: 'good', value: 0, detail: 'says that no alert is firing' }
}
