import type { ChangeKind } from '@signalbox/contract/rest'
import { oneOf, readSearch, text } from '../address-values.ts'

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
  change_request: true,
}

/** Returns the kinds of the address that exist. */
export function readKinds(value: unknown): readonly ChangeKind[] {
  const names = text(value)?.split(',') ?? []
  return names.filter((name): name is ChangeKind => Object.hasOwn(kinds, name))
}

/** Matches a moment with a year of four digits, as the server takes it: a period around a later one may not be a date. */
const moment = /^\d{4}-\d{2}-\d{2}T\S{1,24}$/

const readMoment = (value: unknown): string | undefined =>
  typeof value === 'string' && moment.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** Reads the address of the timeline. */
export const readTimelineSearch = readSearch({
  /** Holds the id of the environment. Default all of them. */
  environment: text,
  /** Holds the name of the repository. Example: `acme/shop`. */
  repository: text,
  /** Holds the name of the author. */
  person: text,
  key: text,
  text,
  /** Lists the kinds, separated by commas. Default all of them. */
  kinds: (value) => text(readKinds(value).join(',')),
  range: oneOf(...rangeNames),
  /** Hold the first moment and the end, as ISO 8601. */
  from: readMoment,
  to: readMoment,
  /** Holds the moment to mark, as ISO 8601. The timeline shows what happened around it. */
  at: readMoment,
  /** Holds the id of the change to mark. Default: whatever changed exactly at `at`. */
  mark: text,
  /** Holds the minutes before and after `at`. Default 30. */
  span: oneOf<number>(...spans),
})

/** Describes the address of the timeline. */
export type TimelineSearch = ReturnType<typeof readTimelineSearch>
