import type { EndpointShape } from '@signalbox/contract/rest'
import { addRoute, createRouter, findRoute } from 'rou3'

/** Describes the endpoint of a request, with the decoded parameters of its path. */
export interface RouteMatch<Route> {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Finds routes by method and path. */
export interface RouteFinder<Route> {
  /** Finds the route of `path`; a fixed segment wins over a parameter. HEAD finds what GET does. */
  find(method: string, path: string): RouteMatch<Route> | undefined
  /** Lists the methods of `path`, sorted. Empty: no route has this path. Example: `['GET', 'HEAD']`. */
  listMethods(path: string): string[]
}

const methods: readonly EndpointShape['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Creates a finder over all `routes`. */
export function createRouteFinder<Route extends { readonly endpoint: EndpointShape }>(
  routes: readonly Route[],
): RouteFinder<Route> {
  const tree = createRouter<Route>()
  for (const route of routes) {
    addRoute(tree, route.endpoint.method, toPattern(route.endpoint.path), route)
  }
  const find: RouteFinder<Route>['find'] = (method, path) => {
    // rou3 matches `/me/` as `/me`; our paths have one spelling.
    if (path.endsWith('/') && path !== '/') return undefined
    const match = findRoute(tree, method === 'HEAD' ? 'GET' : method, decodeFixed(path))
    if (match === undefined) return undefined
    const params = decodeParams(match.params)
    return hasKnownValues(match.data.endpoint, params) ? { route: match.data, params } : undefined
  }
  return {
    find,
    listMethods: (path) =>
      methods
        .filter((method) => find(method, path) !== undefined)
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
        .toSorted(),
  }
}

/** Converts `/organizations/{org_id}` to the syntax of rou3. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/**
 * Decodes characters that mean the same however they are written (RFC 3986 §6.2.2.2): never a `/`, and `%25` only
 * later.
 */
function decodeFixed(path: string): string {
  return path.includes('%') ? decodeURI(path.replaceAll('%25', '%2525')) : path
}

function hasKnownValues(
  { pathValues = {} }: EndpointShape,
  params: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(pathValues).every(([name, values]) => values.includes(params[name] ?? ''))
}

function decodeParams(params: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(params)
  return Object.fromEntries(entries.map(([name, value]) => [name, decodeURIComponent(value)]))
}
