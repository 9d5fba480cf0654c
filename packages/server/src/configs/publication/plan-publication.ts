import type { Author } from '../../audit/audit-event.ts'
import { newId } from '../../crypto/ids.ts'
import { takeRandomBytes } from '../../crypto/random.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import {
  assertSnapshotSize,
  etagOf,
  renderBody,
  renderOpenContent,
  renderServerBody,
  renderSecretContent,
  type OpenContent,
  type SnapshotPlace,
} from './compile-snapshot.ts'
import type { ConfigHead } from '../values/config-head.ts'
import { createSecretOpener, type SecretOpener } from '../values/open-secrets.ts'
import { resolveValues, type ConfigState, type ResolvedValues } from '../values/resolve-values.ts'
import { sealedSecretsPlace, type PublishedBrowser, type PublishedServer } from '../snapshot.ts'
import {
  contentOf,
  diffContents,
  findSeenChanges,
  joinChanges,
  type StoredContent,
  type ValueChange,
} from '../values/value-changes.ts'

/** What made a version. */
export type VersionKind = 'write' | 'restore' | 'promote' | 'schema' | 'inherited' | 'renamed'

/** A version to be recorded. */
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

/** A head as it is to be stored. `values` are left out when they stay as they are. */
export interface HeadRecord extends Pick<
  ConfigHead,
  'environmentId' | 'version' | 'browserVersion'
> {
  readonly schemaId: string
  readonly values: Pick<ConfigHead, 'openValues' | 'secretValues'> | undefined
}

/** All rows of one write, of whatever number of environments and schemas. */
export interface Publication {
  readonly heads: readonly HeadRecord[]
  readonly versions: readonly VersionRecord[]
  readonly browsers: readonly BrowserRecord[]
  readonly servers: readonly ServerRecord[]
}

export interface PlanPublication {
  readonly orgId: string
  /** Left out when the schema is created with this publication. */
  readonly before?: ConfigState
  readonly after: ConfigState
  /** The environments that may look different afterwards. Those without a head in `after` are passed over. */
  readonly environmentIds: readonly string[]
  /** The kind of a version, or `undefined` where one is made only if something looks different: then `otherwise`. */
  readonly kindOf: (environmentId: string) => VersionKind | undefined
  readonly otherwise: VersionKind
  readonly sealer: Sealer
  readonly author: Author
  readonly comment?: string | undefined
  readonly now: Date
}

/**
 * Compiles what a write publishes: a version and a server snapshot for every environment whose values look different,
 * a browser snapshot where a browser could tell the difference.
 *
 * @throws {Problem} `value_too_large` when a snapshot would be
 */
export function planPublication(plan: PlanPublication): Publication {
  const opener = createSecretOpener(plan.sealer, plan.orgId, plan.after.schema.id)
  const planned = plan.environmentIds.flatMap((environmentId) => {
    const head = plan.after.heads.get(environmentId)
    return head === undefined ? [] : [planEnvironment(plan, opener, head)]
  })
  return joinPublications(planned)
}

/** Several publications as one, to be stored together. */
export function joinPublications(parts: readonly Publication[]): Publication {
  return {
    heads: parts.flatMap((part) => part.heads),
    versions: parts.flatMap((part) => part.versions),
    browsers: parts.flatMap((part) => part.browsers),
    servers: parts.flatMap((part) => part.servers),
  }
}

function planEnvironment(
  plan: PlanPublication,
  opener: SecretOpener,
  head: ConfigHead,
): Publication {
  const { after } = plan
  const { environmentId } = head
  const { is, browserDiffers, changes, values } = compare(plan, head)
  const kept = { schemaId: after.schema.id, environmentId, values }
  if (plan.kindOf(environmentId) === undefined && !browserDiffers && changes.length === 0) {
    const { version, browserVersion } = head
    const heads = [{ ...kept, version, browserVersion }]
    return { heads, versions: [], browsers: [], servers: [] }
  }
  const version = head.version + 1
  const browserVersion = head.browserVersion + (browserDiffers ? 1 : 0)
  const secrets = renderSecretContent(after.schema.definition, opener.open(is.resolved))
  assertSnapshotSize(is.place.environment, is.content, secrets)
  return {
    heads: [{ ...kept, version, browserVersion }],
    versions: [versionRecord(plan, head, changes)],
    browsers: browserDiffers ? [browserRecord(is, browserVersion)] : [],
    servers: [serverRecord(plan, is, version, secrets)],
  }
}

interface Comparison {
  readonly is: Look
  readonly browserDiffers: boolean
  readonly changes: readonly ValueChange[]
  readonly values: HeadRecord['values']
}

function compare({ before, after }: PlanPublication, head: ConfigHead): Comparison {
  const is = look(after, head.environmentId)
  const oldHead = before?.heads.get(head.environmentId)
  if (before === undefined || oldHead === undefined) {
    const changes = findSeenChanges(undefined, { ...after.schema, resolved: is.resolved })
    return { is, browserDiffers: true, changes, values: head }
  }
  const was = look(before, head.environmentId)
  return {
    is,
    browserDiffers: !sameToBrowsers(was, is),
    changes: findSeenChanges(
      { ...before.schema, resolved: was.resolved },
      { ...after.schema, resolved: is.resolved },
    ),
    values: isEdited(oldHead, head) ? head : undefined,
  }
}

function versionRecord(
  plan: PlanPublication,
  head: ConfigHead,
  seen: readonly ValueChange[],
): VersionRecord {
  const { environmentId } = head
  const content = contentOf(head)
  return {
    id: newId('ver', plan.now),
    schemaId: plan.after.schema.id,
    environmentId,
    version: head.version + 1,
    kind: plan.kindOf(environmentId) ?? plan.otherwise,
    author: plan.author,
    comment: plan.comment ?? null,
    changes: addOwnChanges(plan, { head, content }, seen),
    content,
    createdAt: plan.now,
  }
}

/** An environment as clients see it. */
interface Look {
  readonly place: SnapshotPlace
  readonly resolved: ResolvedValues
  readonly content: OpenContent
}

function look(state: ConfigState, environmentId: string): Look {
  const { schema, tree } = state
  const environment = tree.get(environmentId)?.name ?? ''
  const resolved = resolveValues(state, environmentId)
  return {
    place: { schemaId: schema.id, schema: schema.name, environmentId, environment },
    resolved,
    content: renderOpenContent(schema.definition, resolved),
  }
}

function sameToBrowsers(one: Look, other: Look): boolean {
  return (
    one.content.text === other.content.text &&
    one.place.schema === other.place.schema &&
    one.place.environment === other.place.environment &&
    sameMembers(one.content.flagSources, other.content.flagSources) &&
    // Whoever asks for an evaluation sees what they do.
    sameMembers(one.content.flagRules, other.content.flagRules)
  )
}

function sameMembers(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const entries = Object.entries(other)
  return (
    Object.keys(one).length === entries.length &&
    entries.every(([key, source]) => one[key] === source)
  )
}

function isEdited(before: ConfigHead, after: ConfigHead): boolean {
  return before.openValues !== after.openValues || before.secretValues !== after.secretValues
}

function addOwnChanges(
  { before, after }: PlanPublication,
  { head, content }: { readonly head: ConfigHead; readonly content: StoredContent },
  seen: readonly ValueChange[],
): readonly ValueChange[] {
  const oldHead = before?.heads.get(head.environmentId)
  if (oldHead === undefined || !isEdited(oldHead, head)) return seen
  return joinChanges(seen, diffContents(after.schema.definition, contentOf(oldHead), content))
}

/**
 * With rules the tag is made by chance as well: a node that holds other rules with the same body, because the database was
 * restored, can tell, and a tag made of the rules would confirm what somebody guesses of them.
 */
function browserRecord({ place, content }: Look, version: number): BrowserRecord {
  const { flagSources, flagRules } = content
  const body = renderBody(place, version, content)
  const hasRules = Object.keys(flagRules).length > 0
  const salt = hasRules ? takeRandomBytes(16).toString('base64url') : ''
  return { ...place, version, body, etag: etagOf('browser', body, salt), flagSources, flagRules }
}

/** The version is in the body, so the tag differs with the secrets too without being made of them. */
function serverRecord(
  { orgId, sealer }: PlanPublication,
  { place, content }: Look,
  version: number,
  secrets: string,
): ServerRecord {
  const body = renderServerBody(place, version, content)
  const sealedSecrets = sealer.seal(sealedSecretsPlace({ orgId, ...place, version }), secrets)
  return { ...place, version, body, etag: etagOf('server', body), sealedSecrets }
}
