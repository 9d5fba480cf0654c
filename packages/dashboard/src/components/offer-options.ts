interface Searched<Option> {
  /** Holds the server's results. `undefined`: not yet requested, or the request failed. */
  readonly results: readonly Option[] | undefined
  /** Says whether the results belong to an earlier text. */
  readonly isOld: boolean
  readonly fits: (option: Option) => boolean
}

/**
 * Returns the options of a searched list. `undefined`: unknown. Until the new results arrive, it offers those old
 * results that match the new text; when none matches it says nothing, because the new results may.
 */
export function offerOptions<Option>({
  results,
  isOld,
  fits,
}: Searched<Option>): readonly Option[] | undefined {
  if (results === undefined || !isOld) return results
  const fitting = results.filter(fits)
  return fitting.length === 0 ? undefined : fitting
}
