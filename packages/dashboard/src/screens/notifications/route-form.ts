import type { NotificationRoute } from './notification-route.ts'

/** Describes which deployments a route is for. */
export type Match = NotificationRoute['match']
/** Names an event that a route can be for. */
export type RouteEvent = NotificationRoute['events'][number]

/** Holds how each event is called. */
export const eventLabels: Readonly<Record<RouteEvent, string>> = {
  deployment: 'Deployments',
  integration_attention: 'An integration needs attention',
  protected_configuration: 'Configuration of a protected environment changed',
}

/** Holds how each choice of states is called. */
export const stateLabels: Readonly<Record<Match['states'], string>> = {
  always: 'every deployment',
  changes: 'failures, and the first success after one',
  failures: 'failures',
}

/** Returns a choice of a form as one of `known`; what is none of them is the first. */
export function oneOf<Known extends string>(
  text: string,
  known: readonly [Known, ...Known[]],
): Known {
  return known.find((one) => one === text) ?? known[0]
}

/** Returns names between commas or lines; `null` when there is none. Example: `main, release/*`. */
export function readNames(text: string): string[] | null {
  const names = text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? null : names
}

/** Returns a route in a sentence. Example: `failures in production on main`. */
export function describeRoute(
  { match, events }: Pick<NotificationRoute, 'match' | 'events'>,
  environments: readonly { readonly id: string; readonly name: string }[],
): string {
  const others = events.filter((event) => event !== 'deployment').map((event) => eventLabels[event])
  if (!events.includes('deployment')) return others.join('; ')
  const { environmentIds, branches, states } = match
  const names = environmentIds?.map((id) => environments.find((one) => one.id === id)?.name ?? id)
  const deployments = [
    stateLabels[states],
    names && `in ${names.join(', ')}`,
    branches && `on ${branches.join(', ')}`,
  ]
  return [
    deployments.filter((part) => part !== undefined && part !== null).join(' '),
    ...others,
  ].join('; ')
}
