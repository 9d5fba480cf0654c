interface Searched<Option> {
  /** What the server found. `undefined`: it was not asked yet, or could not be. */
  readonly found: readonly Option[] | undefined
  /** Whether that is the answer to what was typed before. */
  readonly isOld: boolean
  readonly fits: (option: Option) => boolean
}

/**
 * What a list that is searched by typing offers; `undefined` while nobody knows. Until the answer is here, what Enter would
 * choose has to fit what is typed all the same, and where none of the old ones does, the new answer may still have some.
 */
export function offerOptions<Option>({
  found,
  isOld,
  fits,
}: Searched<Option>): readonly Option[] | undefined {
  if (found === undefined || !isOld) return found
  const fitting = found.filter(fits)
  return fitting.length === 0 ? undefined : fitting
}
