import { limits, Problem } from '@signalbox/contract'
import { isOfrepPath, parseOfrepPath, type OfrepBase } from '../ofrep/ofrep-path.ts'
import type { PairKey } from '../cache/published.ts'
import { parseQuery, type Query } from './query.ts'

/** What a URL of delivery asks for. */
export type Target =
  | { readonly route: 'snapshot' | 'stream'; readonly pair: PairKey; readonly query: Query }
  | {
      readonly route: 'version'
      readonly pair: PairKey
      readonly version: number
      readonly query: Query
    }
  | {
      readonly route: 'values' | 'namedSnapshot'
      readonly organization: string
      readonly query: Query
    }
  | {
      readonly route: 'value' | 'evaluate'
      readonly organization: string
      readonly key: string
      readonly query: Query
    }
  | { readonly route: 'ofrepBulk'; readonly base: OfrepBase; readonly query: Query }
  | {
      readonly route: 'ofrepFlag'
      readonly base: OfrepBase
      readonly key: string
      readonly query: Query
    }
  /** Under a prefix of delivery, but nothing is there. */
  | { readonly route: 'nothing'; readonly query: Query }

const snapshots = '/snapshots/'
const configPath = /^\/organizations\/[^/?]*\/config(?:[/?]|$)/
const valuesPath = /^\/organizations\/([^/]+)\/config\/values(?:\/([^/]+))?$/
const namedSnapshotPath = /^\/organizations\/([^/]+)\/config\/snapshot$/
const evaluatePath = /^\/organizations\/([^/]+)\/config\/feature-flags\/([^/]+)\/evaluate$/
const versionPattern = /^[1-9]\d{0,9}$/

/** Whether a URL is delivery's, at whichever address it is asked for. */
export function isDeliveryPath(url: string): boolean {
  return url.startsWith(snapshots) || configPath.test(url) || isOfrepPath(url)
}

/**
 * Reads a URL of delivery.
 *
 * @throws {Problem} `url_too_long`, `invalid_path`, `invalid_query`
 */
export function parseTarget(url: string): Target {
  if (url.length > limits.urlBytes) {
    throw new Problem('url_too_long', `The URL may have at most ${limits.urlBytes} bytes.`)
  }
  const queryAt = url.indexOf('?')
  const path = queryAt === -1 ? url : url.slice(0, queryAt)
  const query = parseQuery(queryAt === -1 ? '' : url.slice(queryAt + 1))
  if (path.startsWith(snapshots)) return parseSnapshotPath(path.slice(snapshots.length), query)
  return isOfrepPath(path) ? parseOfrep(path, query) : parseOrganizationPath(path, query)
}

function parseSnapshotPath(path: string, query: Query): Target {
  const first = path.indexOf('/')
  const second = path.indexOf('/', first + 1)
  if (first < 1 || first === path.length - 1) return { route: 'nothing', query }
  if (second === -1) return { route: 'snapshot', pair: path, query }
  const pair = path.slice(0, second)
  const last = path.slice(second + 1)
  if (last === 'stream') return { route: 'stream', pair, query }
  if (!versionPattern.test(last)) return { route: 'nothing', query }
  return { route: 'version', pair, version: Number(last), query }
}

function parseOrganizationPath(path: string, query: Query): Target {
  const [, organization, key] = valuesPath.exec(path) ?? []
  if (organization !== undefined) {
    const found = { organization: decodeSegment(organization), query }
    return key === undefined
      ? { route: 'values', ...found }
      : { route: 'value', key: decodeSegment(key), ...found }
  }
  const [, named] = namedSnapshotPath.exec(path) ?? []
  if (named !== undefined) {
    return { route: 'namedSnapshot', organization: decodeSegment(named), query }
  }
  const [, owner, flag] = evaluatePath.exec(path) ?? []
  if (owner !== undefined && flag !== undefined) {
    return {
      route: 'evaluate',
      organization: decodeSegment(owner),
      key: decodeSegment(flag),
      query,
    }
  }
  return { route: 'nothing', query }
}

function parseOfrep(path: string, query: Query): Target {
  const found = parseOfrepPath(path)
  if (found === undefined) return { route: 'nothing', query }
  const [organization, environment, key] = [found.organization, found.environment, found.key].map(
    (segment) => (segment === undefined ? undefined : decodeSegment(segment)),
  )
  const base = { organization, environment }
  return key === undefined
    ? { route: 'ofrepBulk', base, query }
    : { route: 'ofrepFlag', base, key, query }
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Problem('invalid_path', 'The path holds a "%" that is not part of encoded UTF-8.')
  }
}
