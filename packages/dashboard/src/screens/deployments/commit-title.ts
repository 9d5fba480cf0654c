/** Returns the first line of a commit message; `null` where there is none. */
export function toTitle(message: string | null): string | null {
  const [first = ''] = (message ?? '').trim().split('\n', 1)
  return first.trim() === '' ? null : first.trim()
}

/** Returns what a deployment is called: what its commit says, or which commit it is. */
export function nameOf({
  commitMessage,
  sha,
}: {
  readonly commitMessage: string | null
  readonly sha: string
}): string {
  return toTitle(commitMessage) ?? `Commit ${sha.slice(0, 7)}`
}
