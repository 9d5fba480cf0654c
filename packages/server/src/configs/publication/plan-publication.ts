import type { Author } from '../../audit/audit-event.ts'
import { newId } from '../../crypto/ids.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { sealedSecretsPlace, type PublishedBrowser, type PublishedServer } from '../snapshot.ts'
import { isEdited, type ConfigHead } from '../values/config-head.ts'
import type { ConfigState } from '../values/resolve-values.ts'
import { createSecretOpener, type SecretOpener } from '../values/sealed-secrets.ts'
import {
  findSeenChanges,
  recordContent,
  type StoredContent,
  type ValueChange,
} from '../values/value-changes.ts'
import { compileSnapshots, type CompiledSnapshots, type SnapshotPlace } from './compile-snapshot.ts'
import { sameToBrowsers, viewEnvironments, type EnvironmentView } from './environment-view.ts'

/** Names what made a version. */
export type VersionKind = 'write' | 'restore' | 'promote' | 'schema' | 'inherited' | 'renamed'

/** Describes a version to be recorded. */
export interface VersionRecord {
  readonly id: string
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
  readonly kind: VersionKind
  readonly author: Author
  readonly comment: string | null
  readonly changes: readonly ValueChange[]
  readonly content: StoredContent
  readonly createdAt: Date
}

export type BrowserRecord = Omit<PublishedBrowser, 'orgId'>
export type ServerRecord = Omit<PublishedServer, 'orgId'>

/** Describes a head as it is to be stored. `values` are left out when they stay as they are. */
export interface HeadRecord extends Pick<
  ConfigHead,
  'environmentId' | 'version' | 'browserVersion'
> {
  readonly schemaId: string
  readonly values: Pick<ConfigHead, 'openValues' | 'secretValues'> | undefined
}

/** Holds all rows of one write, of whatever number of environments and schemas. */
export interface Publication {
  readonly heads: readonly HeadRecord[]
  readonly versions: readonly VersionRecord[]
  readonly browsers: readonly BrowserRecord[]
  readonly servers: readonly ServerRecord[]
}

/** Describes a write whose publication is planned. */
export interface PlanPublication {
  readonly orgId: string
  /** Left out when the schema is created with this publication. */
  readonly before?: ConfigState
  readonly after: ConfigState
  /** The environments that may look different afterwards. Those without a head in `after` are passed over. */
  readonly environmentIds: readonly string[]
  /** The kinds of versions that are made in any case. Of other environments one is made if something looks different. */
  readonly kinds: ReadonlyMap<string, VersionKind>
  /** The kind of the versions that are only made because something looks different. */
  readonly otherwise: VersionKind
  readonly sealer: Sealer
  readonly author: Author
  readonly comment?: string | undefined
  readonly now: Date
}

/**
 * Plans what a write publishes: a version and a server snapshot for every environment whose values look different,
 * a browser snapshot where a browser could tell the difference.
 *
 * @throws {Problem} `value_too_large` when a snapshot would be
 */
export function planPublication(plan: PlanPublication): Publication {
  const { before, after, environmentIds } = plan
  const opener = createSecretOpener(plan.sealer, plan.orgId, after.schema.id)
  const views = viewEnvironments(after, environmentIds)
  const old = before && viewEnvironments(before, environmentIds)
  return joinPublications(
    [...views].map(([id, is]) => planEnvironment(plan, opener, { was: old?.get(id), is })),
  )
}

/** Returns several publications as one, to be stored together. */
export function joinPublications(parts: readonly Publication[]): Publication {
  return {
    heads: parts.flatMap((part) => part.heads),
    versions: parts.flatMap((part) => part.versions),
    browsers: parts.flatMap((part) => part.browsers),
    servers: parts.flatMap((part) => part.servers),
  }
}

interface Views {
  /** `undefined` before the first version. */
  readonly was: EnvironmentView | undefined
  readonly is: EnvironmentView
}

function planEnvironment(
  plan: PlanPublication,
  opener: SecretOpener,
  { was, is }: Views,
): Publication {
  const { head, place, content, definition } = is
  const { schemaId, environmentId } = place
  const kind = plan.kinds.get(environmentId)
  const differs = was === undefined || !sameToBrowsers(was, is)
  const seen = findSeenChanges(was, is)
  const values = was !== undefined && !isEdited(was.head, head) ? undefined : head
  const stored = { schemaId, environmentId, values }
  if (kind === undefined && !differs && seen.length === 0) {
    const { version, browserVersion } = head
    return { ...nothing, heads: [{ ...stored, version, browserVersion }] }
  }
  const version = head.version + 1
  const browserVersion = head.browserVersion + (differs ? 1 : 0)
  const { browser, server } = compileSnapshots({
    definition,
    place,
    content,
    secretTexts: opener.open(is.resolved),
    version,
    browserVersion: differs ? browserVersion : undefined,
  })
  const record = { ...recordContent(definition, seen, was?.head, head), version }
  return {
    heads: [{ ...stored, version, browserVersion }],
    versions: [toVersion(plan, place, kind ?? plan.otherwise, record)],
    browsers: browser === undefined ? [] : [{ ...place, version: browserVersion, ...browser }],
    servers: [sealServer(plan, place, version, server)],
  }
}

function toVersion(
  { author, comment, now }: PlanPublication,
  { schemaId, environmentId }: SnapshotPlace,
  kind: VersionKind,
  record: Pick<VersionRecord, 'version' | 'changes' | 'content'>,
): VersionRecord {
  const id = newId('ver', now)
  const made = { kind, author, comment: comment ?? null, createdAt: now }
  return { id, schemaId, environmentId, ...record, ...made }
}

const nothing: Publication = { heads: [], versions: [], browsers: [], servers: [] }

function sealServer(
  { orgId, sealer }: PlanPublication,
  place: SnapshotPlace,
  version: number,
  { body, etag, secrets }: CompiledSnapshots['server'],
): ServerRecord {
  const sealedSecrets = sealer.seal(sealedSecretsPlace({ orgId, ...place, version }), secrets)
  return { ...place, version, body, etag, sealedSecrets }
}
