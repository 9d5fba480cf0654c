import type { notificationRouteEndpoints, ResponseOf } from '@signalbox/contract/rest'
import {
  isFailing,
  outcomeOf,
  type MatchedDeployment,
  type Outcome,
  type TestState,
} from '../../read-models/notifications/deployment-view.ts'

type Route = ResponseOf<typeof notificationRouteEndpoints.createNotificationRoute>

/** Describes which deployments a route takes: environments, repositories, branches and states. */
export type RouteMatch = Route['match']
/** Names a kind of message that a route takes: `deployment`, `integration_attention`, `protected_configuration`. */
export type RouteEvent = Route['events'][number]

/** Stands in the place of a route's id for the default channel, which takes every deployment that no route takes. */
export const defaultRouteId = ''

/** Returns whether a route takes a deployment in its present state. */
export function matchesRoute(match: RouteMatch, deployment: MatchedDeployment): boolean {
  const { environmentId, repository, ref, refKind } = deployment
  if (match.environmentIds !== null) {
    if (environmentId === null || !match.environmentIds.includes(environmentId)) return false
  }
  if (match.repositories !== null) {
    const name = repository.toLowerCase()
    if (!match.repositories.some((glob) => matchesGlob(glob.toLowerCase(), name))) return false
  }
  if (match.branches !== null) {
    if (refKind !== 'branch' || !match.branches.some((glob) => matchesGlob(glob, ref))) return false
  }
  return matchesState(match.states, deployment)
}

/**
 * Compares the outcome with the states of a route. `failures`: each failure, and the first success after one. `changes`: only an
 * outcome other than the previous one, so that an environment that stays broken is reported once.
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
 * Returns whether a name matches a glob: `*` is any text without a slash, `**` any text, `?` one character. Example:
 * `release/*`. Takes time in proportion to the product of the lengths, whatever the glob: it builds no regular expression.
 */
export function matchesGlob(glob: string, name: string): boolean {
  // reached[i] is true when the glob so far matches the first i characters.
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

/** Describes a deployment that has ended, for a preview. */
export interface PastDeployment extends Omit<MatchedDeployment, 'previousOutcome' | 'testRuns'> {
  readonly testState: TestState | null
  readonly hostEnvironment: string
}

/** Returns those of past deployments, newest first, that a route would have taken once they had ended. */
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
