/** Lists the durations, in days, that the overview can be about. */
export const periods = [7, 30, 90] as const
/** Names a duration that the overview can be about. */
export type Period = (typeof periods)[number]

/** Describes what the address of the screen says. */
export interface OverviewSearch {
  /** How many days the pictures go back. Left out: 30. */
  readonly days?: Period | undefined
  /** Says whether all that needs a person is shown, and not only the worst of it. */
  readonly all?: true | undefined
}

/** Reads the address of the screen; what it does not know is left out. */
export function readOverviewSearch({ days, all }: Record<string, unknown>): OverviewSearch {
  const period = periods.find((one) => one === Number(days))
  return {
    ...(period !== undefined && period !== 30 && { days: period }),
    ...(all === true && { all }),
  }
}
