import type { DeploymentState } from '@signalbox/contract'
import { relateDeployments, stateAfter, type Relation } from './relate-deployments.ts'

/** Describes a deployment in the chain of an environment and task, as it is linked to its neighbours. */
export interface LinkedDeployment {
  readonly id: string
  readonly sha: string
  readonly hasSucceeded: boolean
  /** Its state without a success after it. */
  readonly ownState: DeploymentState
  readonly state: DeploymentState
  readonly previousSuccessfulId: string | null
  readonly supersededBy: string | null
  readonly relation: Relation
}

/** Holds a piece of a chain, oldest first. */
export interface ChainPiece {
  /** The success before the piece. */
  readonly former: LinkedDeployment | undefined
  readonly inner: readonly LinkedDeployment[]
  /** The success that ends the piece. */
  readonly next: LinkedDeployment | undefined
  /** Names bases that were deleted because of their age. */
  readonly goneBases: ReadonlySet<string>
}

/**
 * Links a piece of a chain again, and returns the deployments that change. The next success supersedes a success; the base of
 * a deployment is the last success before it. A changed base invalidates the comparison with the old one.
 */
export function linkDeployments({
  former,
  inner,
  next,
  goneBases,
}: ChainPiece): LinkedDeployment[] {
  let base = former
  const based: LinkedDeployment[] = []
  for (const deployment of [...inner, ...(next === undefined ? [] : [next])]) {
    const linked = rebase(deployment, base, goneBases)
    based.push(linked)
    if (linked.hasSucceeded) base = linked
  }
  let successor: LinkedDeployment | undefined = next === undefined ? undefined : based.pop()
  const linked: LinkedDeployment[] = successor === undefined ? [] : [successor]
  for (const deployment of [...(former === undefined ? [] : [former]), ...based].toReversed()) {
    linked.push(deployment.hasSucceeded ? giveWay(deployment, successor) : settle(deployment))
    if (deployment.hasSucceeded) successor = deployment
  }
  const before = new Map([former, ...inner, next].map((entry) => [entry?.id, entry]))
  return linked.filter((deployment) => !isSame(before.get(deployment.id), deployment)).toReversed()
}

function rebase(
  deployment: LinkedDeployment,
  base: LinkedDeployment | undefined,
  goneBases: ReadonlySet<string>,
): LinkedDeployment {
  // Remembers how it was to a base that was deleted: it is no first deployment for that.
  if (base === undefined && goneBases.has(deployment.previousSuccessfulId ?? '')) return deployment
  const previousSuccessfulId = base?.id ?? null
  const isKept =
    previousSuccessfulId === deployment.previousSuccessfulId && deployment.relation !== 'unknown'
  if (isKept && base !== undefined) return deployment
  const { sha } = deployment
  const relation = relateDeployments({ sha, previousSha: base?.sha, comparison: undefined })
  return { ...deployment, previousSuccessfulId, relation }
}

function giveWay(
  deployment: LinkedDeployment,
  successor: LinkedDeployment | undefined,
): LinkedDeployment {
  if (successor === undefined) return settle(deployment)
  return { ...deployment, supersededBy: successor.id, state: stateAfter(successor.relation) }
}

function settle(deployment: LinkedDeployment): LinkedDeployment {
  return { ...deployment, supersededBy: null, state: deployment.ownState }
}

function isSame(a: LinkedDeployment | undefined, b: LinkedDeployment): boolean {
  return (
    a?.state === b.state &&
    a.previousSuccessfulId === b.previousSuccessfulId &&
    a.supersededBy === b.supersededBy &&
    a.relation === b.relation
  )
}
