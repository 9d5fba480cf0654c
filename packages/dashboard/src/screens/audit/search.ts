import { isDay, isText } from '../address-values.ts'

/** Describes what the address of the screen says. */
export interface AuditSearch extends AuditFilter {
  /** Holds what of the log was checked. */
  readonly check?: 'chain' | undefined
}

/** Describes what the audit log is narrowed to. */
export interface AuditFilter {
  /** A prefix, such as `key.`; left out: everything. */
  readonly action?: string
  /** The id of a member or of an API key. */
  readonly actor?: string
  /** Days, as `2026-11-22`. */
  readonly from?: string
  readonly to?: string
}

/** Reads the address of the screen; what it does not know is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return { ...readAuditFilter(search), ...(search['check'] === 'chain' && { check: 'chain' }) }
}

/** Reads the filter out of an address; what it does not know is left out. */
export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  const { action, actor, from, to } = search
  return {
    ...(isText(action) && { action }),
    ...(isText(actor) && { actor }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  }
}

/** Returns what the endpoint is asked: days become moments of this browser's time zone, the last one whole. */
export function toAuditQuery({ action, actor, from, to }: AuditFilter) {
  return {
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...(from !== undefined && { from: toMoment(from, 0) }),
    ...(to !== undefined && { to: toMoment(to, 1) }),
  }
}

/** The beginning of a day, so many days later. */
function toMoment(day: string, later: number): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
