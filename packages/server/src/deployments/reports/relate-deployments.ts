import type { DeploymentState } from '@signalbox/contract'
import type { CodehostComparison } from '../../providers/codehosts/commit.ts'

/** Names what a deployment is, compared with the last successful one before it. */
export type Relation = 'first' | 'forward' | 'rollback' | 'hotfix' | 'same' | 'unknown'

const relations = {
  ahead: 'forward',
  behind: 'rollback',
  diverged: 'hotfix',
  identical: 'same',
} as const satisfies Record<CodehostComparison['status'], Relation>

/** Describes two deployments that are compared. */
export interface ComparedDeployments {
  readonly sha: string
  /** The commit of the last success before it; `undefined` when there is none. */
  readonly previousSha: string | undefined
  /** The relation of `sha` to `previousSha`; `undefined` until the code host was asked. */
  readonly comparison: CodehostComparison['status'] | undefined
}

/** Relates a deployment to the one before it, as far as is known. A first or an equal one needs no comparison. */
export function relateDeployments({ sha, previousSha, comparison }: ComparedDeployments): Relation {
  if (previousSha === undefined) return 'first'
  if (previousSha === sha) return 'same'
  return comparison === undefined ? 'unknown' : relations[comparison]
}

/** Returns the state of a successful deployment after the next one succeeded, which is `next` to it. */
export function stateAfter(next: Relation): Extract<DeploymentState, 'superseded' | 'rolled_back'> {
  return next === 'rollback' ? 'rolled_back' : 'superseded'
}
