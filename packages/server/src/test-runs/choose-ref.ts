/** What is known of where a deployed commit lies. */
export interface DeployedRef {
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
  readonly defaultBranch: string
}

const commitHash = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i

/**
 * The branch or tag on which a workflow is started for a deployment: its own, or the default branch, because a workflow
 * cannot be started on a commit. The commit goes along as an input.
 *
 * @see https://docs.github.com/rest/actions/workflows#create-a-workflow-dispatch-event
 */
export function chooseRef({ ref, refKind, defaultBranch }: DeployedRef): string {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const isUsable = refKind !== 'sha' && name !== '' && !commitHash.test(name)
  return isUsable ? name : defaultBranch
}
