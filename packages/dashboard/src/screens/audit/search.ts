import { date, oneOf, readSearch, text } from '../address-values.ts'

const filter = {
  /** Holds words of the events, or their beginnings. */
  query: (value: unknown) => text(text(value)?.trim()),
  /** Holds the prefix of the event's name, such as `key.`. Default all events. */
  action: text,
  /** Holds the id of a member or an API key. */
  actor: text,
  /** Hold the first and last day, as `2026-11-22`. */
  from: date,
  to: date,
}

/** Reads the filter out of an address. */
export const readAuditFilter = readSearch(filter)

/** Describes the filter of the audit log. */
export type AuditFilter = ReturnType<typeof readAuditFilter>

/** Reads the address of the screen. `check` says that the hash chain is checked. */
export const readAuditSearch = readSearch({ ...filter, check: oneOf('chain') })

/** Describes the address of the screen. */
export type AuditSearch = ReturnType<typeof readAuditSearch>

/** Returns the query for the endpoint. Days become moments in the browser's time zone; the last day is included. */
export function toAuditQuery({ action, actor, from, to, query }: AuditFilter) {
  return {
    ...(query !== undefined && { query }),
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...(from !== undefined && { from: toMoment(from, 0) }),
    ...(to !== undefined && { to: toMoment(to, 1) }),
  }
}

/** Returns the start of the day that many days later. */
function toMoment(day: string, later: number): string {
  const [year = 1970, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, dayOfMonth + later).toISOString()
}
