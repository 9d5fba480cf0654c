import type { Caller } from '../../config-model/caller.ts'

/** Describes whether a request makes secrets public. */
interface Exposure {
  /** The request says that secrets are to become public. */
  readonly isMeant: boolean
  readonly dryRun: boolean
}

const exposes: Exposure = { isMeant: true, dryRun: false }

/**
 * Requires of a person who exposes secrets what revealing them requires. Called before secrets become public, or come
 * to an environment where others may read them.
 *
 * @throws {Problem} `step_up_required`, `rate_limited`
 */
export function authorizeExposure(
  { authorizeReveal }: { readonly authorizeReveal: () => void },
  { author, isAgent }: Pick<Caller, 'author' | 'isAgent'>,
  { isMeant, dryRun } = exposes,
): void {
  const isPerson = author.type !== 'api_key' && !isAgent
  if (isMeant && !dryRun && isPerson) authorizeReveal()
}
