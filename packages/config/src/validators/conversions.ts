/** Describes the result of a validator for a value. */
export type ProbeOutcome =
  | { readonly accepted: true; readonly value: unknown }
  | { readonly accepted: false }

/** Describes a sample, and the validator's result. */
export interface Trial {
  readonly sample: unknown
  readonly outcome: ProbeOutcome
}

/** Lists values that mean nothing. No key can have one. */
export const nothings: readonly unknown[] = [null, [], {}]

/**
 * Returns whether `value`, which a validator makes of a missing one, may come of a conversion such as
 * `String(undefined)`. A validator that only has a default refuses `nothings`, or answers every value of another type
 * with its default.
 */
export function mayBeConverted(value: unknown, trials: readonly Trial[]): boolean {
  const taken = trials.flatMap(({ sample, outcome }) =>
    outcome.accepted && typeof sample !== typeof value ? [{ sample, result: outcome.value }] : [],
  )
  return (
    taken.some(({ sample }) => nothings.includes(sample)) &&
    taken.some(({ result }) => !Object.is(result, value))
  )
}
