interface Timed {
  readonly createdAt: string
}

/** Returns the version that a moment made current, and the one before it, of versions that are listed newest first. */
export function findVersionAt<Version extends Timed>(
  versions: readonly Version[],
  at: string,
): { readonly before?: Version | undefined; readonly after?: Version | undefined } {
  const moment = Date.parse(at)
  const index = versions.findIndex(({ createdAt }) => Date.parse(createdAt) <= moment)
  return index === -1 ? {} : { after: versions[index], before: versions[index + 1] }
}
