import type { NotificationRoute } from './notification-route.ts'

/** Describes the conditions of a route. */
export type Match = NotificationRoute['match']
/** Names an event that a route can announce. */
export type RouteEvent = NotificationRoute['events'][number]

export const eventLabels: Readonly<Record<RouteEvent, string>> = {
  deployment: 'Deployments',
  integration_attention: 'An integration needs attention',
  protected_configuration: 'Configuration of production or a protected environment changed',
}

/** Maps each choice of states to its label. */
export const stateLabels: Readonly<Record<Match['states'], string>> = {
  always: 'every deployment',
  changes: 'failures, and the first success after one',
  failures: 'failures',
}

/** Returns the selected value of a form. Anything unknown becomes the first of `known`. */
export function oneOf<Known extends string>(
  text: string,
  known: readonly [Known, ...Known[]],
): Known {
  return known.find((one) => one === text) ?? known[0]
}

/** Returns names separated by commas or line breaks. `null`: none. Example: `main, release/*`. */
export function readNames(text: string): string[] | null {
  const names = text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? null : names
}

/** Returns a route in a sentence. Example: `failures of acme/shop in production on main`. */
export function describeRoute(
  { match, events }: Pick<NotificationRoute, 'match' | 'events'>,
  environments: readonly { readonly id: string; readonly name: string }[],
): string {
  const others = events.filter((event) => event !== 'deployment').map((event) => eventLabels[event])
  if (!events.includes('deployment')) return others.join('; ')
  const { environmentIds, repositories, branches, states } = match
  const names = environmentIds?.map((id) => environments.find((one) => one.id === id)?.name ?? id)
  const deployments = [
    stateLabels[states],
    repositories && `of ${repositories.join(', ')}`,
    names && `in ${names.join(', ')}`,
    branches && `on ${branches.join(', ')}`,
  ]
  return [
    deployments.filter((part) => part !== undefined && part !== null).join(' '),
    ...others,
  ].join('; ')
}
