interface Searched<Option> {
  /** Holds what the server found. `undefined`: it was not asked yet, or could not be. */
  readonly results: readonly Option[] | undefined
  /** Says whether that is the answer to what was typed before. */
  readonly isOld: boolean
  readonly fits: (option: Option) => boolean
}

/**
 * Returns what a list that is searched by typing offers; `undefined` while nobody knows. Until the answer is here, what Enter would
 * choose has to fit what is typed all the same, and where none of the old ones does, the new answer may still have some.
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
