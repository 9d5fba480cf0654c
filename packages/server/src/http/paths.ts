import { Problem } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'

/** `/organizations/{org_id}` as Hono writes it. */
export function toHonoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Orders paths so that a fixed segment comes before a parameter at the same place: the first match is the right one. */
export function compareSpecificity(
  a: Pick<EndpointShape, 'path'>,
  b: Pick<EndpointShape, 'path'>,
): number {
  const left = a.path.split('/')
  const right = b.path.split('/')
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = weight(left[i]) - weight(right[i])
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function weight(segment = ''): number {
  return segment.startsWith('{') ? 1 : 0
}

/** The problem for a path that exists under other methods only. */
export function methodNotAllowed(methods: readonly string[]): Problem {
  return new Problem('method_not_allowed', `Use ${methods.join(' or ')} here.`)
}
