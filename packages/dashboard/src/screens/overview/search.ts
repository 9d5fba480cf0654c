export const periods = [7, 30, 90] as const
export type Period = (typeof periods)[number]

export interface OverviewSearch {
  /** How many days the pictures go back. Left out: 30. */
  readonly days?: Period | undefined
  /** Whether all that needs a person is shown, and not only the worst of it. */
  readonly all?: true | undefined
}

export function readOverviewSearch({ days, all }: Record<string, unknown>): OverviewSearch {
  const period = periods.find((one) => one === Number(days))
  return {
    ...(period !== undefined && period !== 30 && { days: period }),
    ...(all === true && { all }),
  }
}
