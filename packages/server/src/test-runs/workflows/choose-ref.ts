import { parseProposedRef } from '@signalbox/contract'

/** Describes where a deployed commit lies. */
export interface DeployedRef {
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
  readonly defaultBranch: string
}

const commitHash = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i

/**
 * Returns the branch or tag on which a workflow is started for a deployment: its own, or the default branch, because a code
 * host starts nothing on a commit. The commit goes along as an input. The ref of a merge request is left to the provider's calls, which find
 * its branch; of a pull request it is not asked for, which would need a permission more.
 */
export function chooseRef({ ref, refKind, defaultBranch }: DeployedRef): string {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const isOfPull = parseProposedRef(ref)?.kind === 'pull request'
  const isUsable = refKind !== 'sha' && name !== '' && !commitHash.test(name) && !isOfPull
  return isUsable ? name : defaultBranch
}
