import type { DeploymentState } from '@signalbox/contract/rest'
import type { CodehostComparison } from '../providers/codehost.ts'

/** What a deployment is, compared with the last successful one before it. */
export type Relation = 'first' | 'forward' | 'rollback' | 'hotfix' | 'same' | 'unknown'

const relations = {
  ahead: 'forward',
  behind: 'rollback',
  diverged: 'hotfix',
  identical: 'same',
} as const satisfies Record<CodehostComparison['status'], Relation>

export interface ComparedDeployments {
  readonly sha: string
  /** The commit of the last success before it; `undefined` when there is none. */
  readonly previousSha: string | undefined
  /** How `sha` lies to `previousSha`; `undefined` as long as nobody has asked the code host. */
  readonly comparison: CodehostComparison['status'] | undefined
}

/** What a deployment is, as far as it is known. Where it is first or the same needs no comparison. */
export function relateDeployments({ sha, previousSha, comparison }: ComparedDeployments): Relation {
  if (previousSha === undefined) return 'first'
  if (previousSha === sha) return 'same'
  return comparison === undefined ? 'unknown' : relations[comparison]
}

/** What becomes of a successful deployment when the next one succeeds, which is `next` to it. */
export function stateAfter(next: Relation): Extract<DeploymentState, 'superseded' | 'rolled_back'> {
  return next === 'rollback' ? 'rolled_back' : 'superseded'
}
