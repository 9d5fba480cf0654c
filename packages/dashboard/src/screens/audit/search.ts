import { isDay, isText } from '../address-values.ts'

/** Describes the address of the screen. */
export interface AuditSearch extends AuditFilter {
  /** Says that the hash chain is checked. */
  readonly check?: 'chain' | undefined
}

/** Describes the filter of the audit log. */
export interface AuditFilter {
  /** Holds the prefix of the event's name, such as `key.`. Default all events. */
  readonly action?: string
  /** Holds words of the events, or their beginnings. */
  readonly query?: string
  /** Holds the id of a member or an API key. */
  readonly actor?: string
  /** Holds the first and last day, as `2026-11-22`. */
  readonly from?: string
  readonly to?: string
}

/** Reads the address of the screen. Unknown values are left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return { ...readAuditFilter(search), ...(search['check'] === 'chain' && { check: 'chain' }) }
}

/** Reads the filter out of an address. Unknown values are left out. */
export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  const { action, actor, from, to, query } = search
  return {
    ...(isText(query) && query.trim() !== '' && { query: query.trim() }),
    ...(isText(action) && { action }),
    ...(isText(actor) && { actor }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  }
}

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
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
