import type { notificationRouteEndpoints, ResponseOf } from '@signalbox/contract/rest'
import {
  isFailing,
  outcomeOf,
  type MatchedDeployment,
  type Outcome,
  type TestState,
} from '../../read-models/notifications/deployment-view.ts'

type Route = ResponseOf<typeof notificationRouteEndpoints.createNotificationRoute>

export type RouteMatch = Route['match']
export type RouteEvent = Route['events'][number]

/** The default channel: it is told of every deployment that no route takes. */
export const defaultRouteId = ''

/** Whether a deployment is one that the route tells of, as it stands now. */
export function matchesRoute(match: RouteMatch, deployment: MatchedDeployment): boolean {
  const { environmentId, ref, refKind } = deployment
  if (match.environmentIds !== null) {
    if (environmentId === null || !match.environmentIds.includes(environmentId)) return false
  }
  if (match.branches !== null) {
    if (refKind !== 'branch' || !match.branches.some((glob) => matchesGlob(glob, ref))) return false
  }
  return matchesState(match.states, deployment)
}

/**
 * `failures`: each failure, and the first success after one. `changes`: only where the outcome is another than before,
 * so that what stays broken is told of once.
 */
function matchesState(states: RouteMatch['states'], deployment: MatchedDeployment): boolean {
  const { previousOutcome } = deployment
  const failing = isFailing(deployment)
  const isRecovery =
    !failing && outcomeOf(deployment.state) === 'success' && previousOutcome === 'failure'
  switch (states) {
    case 'always':
      return true
    case 'failures':
      return failing || isRecovery
    case 'changes':
      return isRecovery || (failing && previousOutcome !== 'failure')
  }
}

/**
 * Whether a name fits a glob: `*` is any text without a slash, `**` any text, `?` one character. Example: `release/*`.
 * Takes time that grows with the product of the lengths, whatever the glob: no regular expression is made of it.
 */
export function matchesGlob(glob: string, name: string): boolean {
  // reached[i]: whether the glob so far fits the first i characters.
  let reached = Array.from({ length: name.length + 1 }, (_, index) => index === 0)
  for (const token of glob.match(/\*\*|[^]/g) ?? []) reached = advance(reached, token, name)
  return reached[name.length] === true
}

function advance(reached: readonly boolean[], token: string, name: string): boolean[] {
  const next: boolean[] = []
  for (let index = 0; index <= name.length; index += 1) {
    const character = name[index - 1]
    const before = next[index - 1] === true
    if (token === '**') next.push(reached[index] === true || before)
    else if (token === '*') next.push(reached[index] === true || (before && character !== '/'))
    else next.push(reached[index - 1] === true && (token === '?' || token === character))
  }
  return next
}

export interface PastDeployment extends Omit<MatchedDeployment, 'previousOutcome' | 'testRuns'> {
  readonly testState: TestState | null
  readonly repository: string
  readonly hostEnvironment: string
}

/** Which of past deployments, newest first, a route would have told of once they had ended. */
export function previewRoute<T extends PastDeployment>(
  match: RouteMatch,
  deployments: readonly T[],
): T[] {
  const outcomes = new Map<string, Outcome>()
  const matched: T[] = []
  for (const deployment of deployments.toReversed()) {
    const environmentKey = JSON.stringify([
      deployment.repository,
      deployment.hostEnvironment.toLowerCase(),
    ])
    const previousOutcome = outcomes.get(environmentKey) ?? null
    const outcome = outcomeOf(deployment.state)
    if (outcome !== null) outcomes.set(environmentKey, outcome)
    const testRuns = deployment.testState === null ? [] : [{ state: deployment.testState }]
    if (matchesRoute(match, { ...deployment, previousOutcome, testRuns })) matched.push(deployment)
  }
  return matched.toReversed()
}
