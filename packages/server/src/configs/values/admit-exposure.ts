import type { Caller } from '../caller.ts'

export interface Exposure {
  /** Whether the request says that secrets are to become public. */
  readonly isMeant: boolean
  readonly dryRun: boolean
}

const exposes: Exposure = { isMeant: true, dryRun: false }

/**
 * Asked before secrets become public, or come to an environment where others may read them: it takes from a person what
 * a look at them takes.
 *
 * @throws {Problem} `step_up_required`, `rate_limited`
 */
export function admitExposure(
  { admitReveal }: { readonly admitReveal: () => void },
  { mayReveal }: Pick<Caller, 'mayReveal'>,
  { isMeant, dryRun } = exposes,
): void {
  if (isMeant && !dryRun && mayReveal) admitReveal()
}
