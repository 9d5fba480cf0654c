import { limits, Problem } from '@signalbox/contract'
import { isOfrepPath, parseOfrepPath, type OfrepBase } from '../ofrep/ofrep-path.ts'
import type { SnapshotKey } from '../cache/published.ts'
import { parseQuery, type Query } from './query.ts'

/** Describes what a URL of the delivery requests. */
export type Target =
  | {
      readonly route: 'snapshot' | 'stream'
      readonly snapshotKey: SnapshotKey
      readonly query: Query
    }
  | {
      readonly route: 'version'
      readonly snapshotKey: SnapshotKey
      readonly version: number
      readonly query: Query
    }
  | {
      readonly route: 'values' | 'namedSnapshot' | 'flagd'
      readonly organization: string
      readonly query: Query
    }
  | {
      readonly route: 'value'
      readonly organization: string
      readonly key: string
      readonly query: Query
    }
  | {
      readonly route: 'evaluate'
      readonly organization: string
      /** The word of the path: it says what kind of key is meant. */
      readonly of: string
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
  /** Names the keys that sign snapshots, which everybody may read. */
  | { readonly route: 'publicKeys'; readonly query: Query }
  /** Requests the newest mark for a relay, a stream that says when there is another one, or reports how a relay is. */
  | { readonly route: 'replicaMark' | 'replicaStream' | 'replicaReport'; readonly query: Query }
  /** Requests an index, a manifest or a record by its hash. */
  | { readonly route: 'replicaObject'; readonly sha256: string; readonly query: Query }
  /** Matches no route, below a prefix of the delivery. */
  | { readonly route: 'nothing'; readonly query: Query }

const snapshots = '/snapshots/'
const publicKeys = '/.well-known/signalbox-keys'
const replica = '/replica/'
const replicaRoutes: Readonly<Record<string, 'replicaMark' | 'replicaStream' | 'replicaReport'>> = {
  '/replica/mark': 'replicaMark',
  '/replica/stream': 'replicaStream',
  '/replica/report': 'replicaReport',
}
const replicaObject = /^\/replica\/objects\/([\w-]{43})$/
const configPath = /^\/organizations\/[^/?]*\/config(?:[/?]|$)/
const valuesPath = /^\/organizations\/([^/]+)\/config\/values(?:\/([^/]+))?$/
const wholePath = /^\/organizations\/([^/]+)\/config\/(snapshot|flagd)$/
const evaluatePath =
  /^\/organizations\/([^/]+)\/config\/(feature-flags|values|limits)\/([^/]+)\/evaluate$/
const versionPattern = /^[1-9]\d{0,9}$/

/** Returns whether the delivery answers this URL, at its own address or at the API's. */
export function isDeliveryPath(url: string): boolean {
  if (url.startsWith(snapshots) || configPath.test(url) || isOfrepPath(url)) return true
  if (url.startsWith(replica)) return true
  return url.startsWith(publicKeys) && url.split('?', 1)[0] === publicKeys
}

/**
 * Parses a URL of the delivery.
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
  if (path === publicKeys) return { route: 'publicKeys', query }
  if (path.startsWith(replica)) return parseReplicaPath(path, query)
  if (path.startsWith(snapshots)) return parseSnapshotPath(path.slice(snapshots.length), query)
  return isOfrepPath(path) ? parseOfrep(path, query) : parseOrganizationPath(path, query)
}

function parseReplicaPath(path: string, query: Query): Target {
  const named = replicaRoutes[path]
  if (named !== undefined) return { route: named, query }
  const sha256 = replicaObject.exec(path)?.[1]
  return sha256 === undefined
    ? { route: 'nothing', query }
    : { route: 'replicaObject', sha256, query }
}

function parseSnapshotPath(path: string, query: Query): Target {
  const first = path.indexOf('/')
  const second = path.indexOf('/', first + 1)
  if (first < 1 || first === path.length - 1) return { route: 'nothing', query }
  if (second === -1) return { route: 'snapshot', snapshotKey: path, query }
  const snapshotKey = path.slice(0, second)
  const last = path.slice(second + 1)
  if (last === 'stream') return { route: 'stream', snapshotKey, query }
  if (!versionPattern.test(last)) return { route: 'nothing', query }
  return { route: 'version', snapshotKey, version: Number(last), query }
}

function parseOrganizationPath(path: string, query: Query): Target {
  const [, organization, key] = valuesPath.exec(path) ?? []
  if (organization !== undefined) {
    const parsed = { organization: decodeSegment(organization), query }
    return key === undefined
      ? { route: 'values', ...parsed }
      : { route: 'value', key: decodeSegment(key), ...parsed }
  }
  const [, named, form] = wholePath.exec(path) ?? []
  if (named !== undefined) {
    const route = form === 'flagd' ? form : 'namedSnapshot'
    return { route, organization: decodeSegment(named), query }
  }
  const [, owner, of, evaluated] = evaluatePath.exec(path) ?? []
  if (owner !== undefined && of !== undefined && evaluated !== undefined) {
    return {
      route: 'evaluate',
      organization: decodeSegment(owner),
      of,
      key: decodeSegment(evaluated),
      query,
    }
  }
  return { route: 'nothing', query }
}

function parseOfrep(path: string, query: Query): Target {
  const parsed = parseOfrepPath(path)
  if (parsed === undefined) return { route: 'nothing', query }
  const [organization, environment, schema, key] = [
    parsed.organization,
    parsed.environment,
    parsed.schema,
    parsed.key,
  ].map((segment) => (segment === undefined ? undefined : decodeSegment(segment)))
  const base = { organization, environment, schema }
  return key === undefined
    ? { route: 'ofrepBulk', base, query }
    : { route: 'ofrepFlag', base, key, query }
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Problem('invalid_path', 'The path contains a "%" that is not part of encoded UTF-8.')
  }
}
