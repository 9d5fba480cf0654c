/** Returns the first line of a commit message; `null` where there is none. */
export function toTitle(message: string | null): string | null {
  const [first = ''] = (message ?? '').trim().split('\n', 1)
  return first.trim() === '' ? null : first.trim()
}

/** Returns the name of a deployment: the title of its commit, or the commit's hash. */
export function nameOf({
  commitMessage,
  sha,
}: {
  readonly commitMessage: string | null
  readonly sha: string
}): string {
  return toTitle(commitMessage) ?? `Commit ${sha.slice(0, 7)}`
}
