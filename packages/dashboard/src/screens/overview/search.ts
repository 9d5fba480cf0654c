import { isText } from '../address-values.ts'

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

/** Describes the address of the screen. */
export interface OverviewSearch {
  /** Holds the days of the charts. Default 30. */
  readonly days?: Period | undefined
  /** Says whether all problems are shown, and not only the worst. */
  readonly all?: true | undefined
  /** Hold the environment and the repository of the charts. */
  readonly environment?: string | undefined
  readonly repository?: string | undefined
  /** Says whether every repository is shown, and not only those with the newest deployments. */
  readonly repositories?: 'all' | undefined
  /** Says whether the delivery figures of every repository and environment are shown, and not only the first ones. */
  readonly figures?: 'all' | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const { days, all, environment, repository, repositories, figures } = search
  const period = periods.find((one) => one === Number(days))
  return {
    ...(period !== undefined && period !== 30 && { days: period }),
    ...(all === true && { all }),
    ...(isText(environment) && { environment }),
    ...(isText(repository) && { repository }),
    ...(repositories === 'all' && { repositories }),
    ...(figures === 'all' && { figures }),
  }
}
