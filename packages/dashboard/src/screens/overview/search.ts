/** Lists the periods of the overview in days. */
export const periods = [7, 30, 90] as const
/** Names a period of the overview. */
export type Period = (typeof periods)[number]

/** Describes the address of the screen. */
export interface OverviewSearch {
  /** Holds the days of the charts. Default 30. */
  readonly days?: Period | undefined
  /** Says whether all problems are shown, and not only the worst. */
  readonly all?: true | undefined
  /** Says whether every repository is shown, and not only those with the newest deployments. */
  readonly repositories?: 'all' | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readOverviewSearch({
  days,
  all,
  repositories,
}: Record<string, unknown>): OverviewSearch {
  const period = periods.find((one) => one === Number(days))
  return {
    ...(period !== undefined && period !== 30 && { days: period }),
    ...(all === true && { all }),
    ...(repositories === 'all' && { repositories }),
  }
}
