import type { Detail } from './detail.ts'

type Config = Detail['configVersions'][number]

/** Returns a sentence about the keys that changed since the previous deployment, or why there is nothing to compare with. */
export function describeChanges(
  { previousVersion, changedKeys }: Pick<Config, 'previousVersion' | 'changedKeys'>,
  hasPrevious: boolean,
): string {
  if (previousVersion === null) {
    return hasPrevious
      ? 'The previous deployment has no recorded configuration.'
      : 'No earlier deployment to compare with.'
  }
  const changed = changedKeys.length
  if (changed === 0) return 'Unchanged since the previous deployment.'
  return `${changed} ${changed === 1 ? 'key' : 'keys'} changed since the previous deployment.`
}
