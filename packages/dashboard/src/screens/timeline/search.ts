import type { ChangeKind } from '@signalbox/contract/rest'
import { isText } from '../address-values.ts'

/** Maps the ranges that end now to their length in milliseconds. */
export const quickRanges = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
} as const

/** Names a range that ends now. */
export type QuickRange = keyof typeof quickRanges

export const rangeNames = ['1h', '24h', '7d', '30d'] as const satisfies readonly QuickRange[]

/** Lists the minutes before and after a moment that the timeline can show. */
export const spans = [30, 120, 1440] as const

const kinds: Readonly<Record<ChangeKind, true>> = {
  deployment: true,
  config_version: true,
  flag_flip: true,
  test_run: true,
}

/** Describes the address of the timeline. */
export interface TimelineSearch {
  /** Holds the id of the environment. Default all of them. */
  readonly environment?: string | undefined
  /** Holds the name of the repository. Example: `acme/shop`. */
  readonly repository?: string | undefined
  /** Holds the name of the author. */
  readonly person?: string | undefined
  readonly key?: string | undefined
  readonly text?: string | undefined
  /** Lists the kinds, separated by commas. Default all of them. */
  readonly kinds?: string | undefined
  readonly range?: QuickRange | undefined
  /** Hold the first moment and the end, as ISO 8601. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Holds the moment to mark, as ISO 8601. The timeline shows what happened around it. */
  readonly at?: string | undefined
  /** Holds the id of the change to mark. Default: whatever changed exactly at `at`. */
  readonly mark?: string | undefined
  /** Holds the minutes before and after `at`. Default 30. */
  readonly span?: number | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readTimelineSearch(search: Record<string, unknown>): TimelineSearch {
  return { ...readFilters(search), ...readPeriod(search) }
}

function readFilters(search: Record<string, unknown>): TimelineSearch {
  const { environment, repository, person, key, text } = search
  const known = readKinds(search['kinds'])
  return {
    ...(isText(environment) && { environment }),
    ...(isText(repository) && { repository }),
    ...(isText(person) && { person }),
    ...(isText(key) && { key }),
    ...(isText(text) && { text }),
    ...(known.length > 0 && { kinds: known.join(',') }),
  }
}

function readPeriod(search: Record<string, unknown>): TimelineSearch {
  const { from, to, at, mark } = search
  const range = rangeNames.find((one) => one === search['range'])
  const span = spans.find((one) => one === search['span'])
  return {
    ...(range !== undefined && { range }),
    ...(isMoment(from) && { from }),
    ...(isMoment(to) && { to }),
    ...(isMoment(at) && { at }),
    ...(isText(mark) && { mark }),
    ...(span !== undefined && { span }),
  }
}

/** Returns the kinds of the address that exist. */
export function readKinds(value: unknown): readonly ChangeKind[] {
  const names = isText(value) ? value.split(',') : []
  return names.filter((name): name is ChangeKind => Object.hasOwn(kinds, name))
}

/** Matches a moment with a year of four digits, as the server takes it: a period around a later one may not be a date. */
const moment = /^\d{4}-\d{2}-\d{2}T\S{1,24}$/

function isMoment(value: unknown): value is string {
  return isText(value) && moment.test(value) && !Number.isNaN(Date.parse(value))
}
