import { oneOf, readSearch, text, yes } from '../address-values.ts'

/** Lists the periods of the overview in days. */
export const periods = [7, 30, 90] as const
/** Names a period of the overview. */
export type Period = (typeof periods)[number]

/** Lists the periods of which all deployments are kept; `keptDays` is undefined where all are. */
export function listKeptPeriods(keptDays: number | undefined): readonly Period[] {
  return keptDays === undefined ? periods : periods.filter((days) => days <= keptDays)
}

/** Returns a chosen period, or the longest of which all deployments are kept. */
export function limitPeriod(chosen: Period | undefined, keptDays: number | undefined): Period {
  const days = chosen ?? 30
  return listKeptPeriods(keptDays).findLast((period) => period <= days) ?? days
}

/** Reads the address of the screen. */
export const readOverviewSearch = readSearch({
  /** Holds the days of the charts. Default 30. */
  days: (value) => periods.find((days) => days === Number(value) && days !== 30),
  /** Says whether all problems are shown, and not only the worst. */
  all: yes,
  /** Hold the environment and the repository of the charts. */
  environment: text,
  repository: text,
  /** Says whether every repository is shown, and not only those with the newest deployments. */
  repositories: oneOf('all'),
  /** Says whether the delivery figures of every repository and environment are shown, and not only the first ones. */
  figures: oneOf('all'),
})
