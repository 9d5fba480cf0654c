import { Problem, type Segments } from '@signalbox/contract'
import type { Author } from '../audit/audit-event.ts'
import { newId } from '../crypto/ids.ts'
import type { Sealer } from '../vault/organization-keys.ts'
import type { SnapshotSigner } from '../vault/publisher-keys.ts'
import {
  renderServerSnapshot,
  sealedSecretsAddress,
  sealedSignatureAddress,
  type PublishedBrowser,
  type PublishedServer,
} from './snapshot.ts'
import type { Definition } from './definition.ts'
import { findEffects, type Effect } from './effects.ts'
import { isEdited, type CurrentValues } from './current-values.ts'
import { referencesOf, type SegmentReference } from './segment-texts.ts'
import {
  resolveChanged,
  resolveValues,
  type PublishableState,
  type ResolvedValues,
} from './resolve-values.ts'
import { createSecretOpener, type SecretOpener } from './sealed-secrets.ts'
import {
  findVisibleChanges,
  recordContent,
  type StoredContent,
  type ValueChange,
} from './value-changes.ts'
import {
  compileSnapshots,
  renderOpenContent,
  type CompiledSnapshots,
  type OpenContent,
  type SnapshotTarget,
} from './compile-snapshot.ts'

/** Names what made a version. */
export type VersionKind =
  | 'write'
  | 'restore'
  | 'promote'
  | 'schema'
  | 'inherited'
  | 'renamed'
  | 'segment'

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

/** Describes a browser snapshot to be stored. */
export interface BrowserRecord extends Omit<PublishedBrowser, 'orgId'> {
  /**
   * Maps each flag and targeted key that is answered otherwise than before to the version that changes it, and one that is gone to
   * `null`.
   */
  readonly changedFlags: Readonly<Record<string, number | null>>
}

/** Describes a server snapshot to be stored, its secrets sealed. */
export type ServerRecord = Omit<PublishedServer, 'orgId'>

/**
 * Describes the current values of an environment as they are to be stored. `values` are left out when they stay as they
 * are.
 */
export interface CurrentValuesRecord extends Pick<
  CurrentValues,
  'environmentId' | 'version' | 'browserVersion' | 'lostVersion'
> {
  readonly schemaId: string
  readonly values: Pick<CurrentValues, 'openValues' | 'secretValues'> | undefined
  /** The segments that the environment refers to, where they may have changed. */
  readonly references: readonly SegmentReference[] | undefined
}

/** Holds all rows of one write, of whatever number of environments and schemas. */
export interface Publication {
  readonly currentValues: readonly CurrentValuesRecord[]
  readonly versions: readonly VersionRecord[]
  /** Says what changes for readers. */
  readonly effects: readonly Effect[]
  readonly browsers: readonly BrowserRecord[]
  readonly servers: readonly ServerRecord[]
}

/** Describes a write whose publication is planned. */
export interface PlanPublication {
  readonly orgId: string
  /** Left out when the schema is created with this publication. */
  readonly before?: PublishableState
  readonly after: PublishableState
  /** The environments that may look different afterwards. Those without current values in `after` are skipped. */
  readonly environmentIds: readonly string[]
  /**
   * The kinds of the versions that are made in any case, by environment. Others get one if something looks different.
   */
  readonly kinds: ReadonlyMap<string, VersionKind>
  /** The kind of the versions that are only made because something looks different. */
  readonly otherwise: VersionKind
  readonly sealer: Sealer
  readonly signer: SnapshotSigner
  readonly author: Author
  readonly comment?: string | undefined
  readonly now: Date
}

/**
 * Plans what a write publishes: a version and a server snapshot for every environment whose values look different,
 * a browser snapshot where a browser could tell the difference.
 *
 * @throws {Problem} `value_too_large` when a snapshot would be, `too_many_rules`, `environment_archived`
 */
export function planPublication(plan: PlanPublication): Publication {
  const { before, after, environmentIds } = plan
  refuseArchived(after.tree, plan.kinds)
  const opener = createSecretOpener(plan.sealer, plan.orgId, after.schema.id)
  const old = before && viewEnvironments(before, environmentIds, resolveValues)
  const views = viewEnvironments(after, environmentIds, (state, id) => {
    const was = old?.get(id)
    return before === undefined || was === undefined
      ? resolveValues(state, id)
      : resolveChanged(before, was.resolved, state, id)
  })
  return joinPublications(
    [...views].map(([id, is]) => planEnvironment(plan, opener, { was: old?.get(id), is })),
  )
}

/** Lists the kinds that somebody means for one environment. The others reach all that depend on what has changed. */
const writes: ReadonlySet<VersionKind> = new Set(['write', 'restore', 'promote'])

/** Refuses to write in an environment of which nothing is published. */
function refuseArchived(tree: PublishableState['tree'], kinds: PlanPublication['kinds']): void {
  for (const [id, kind] of kinds) {
    const node = tree.get(id)
    if (node?.isArchived !== true || !writes.has(kind)) continue
    const detail = `The preview ${node.name} has ended. Open its pull request again to write there.`
    throw new Problem('environment_archived', detail)
  }
}

/** Returns several publications as one, to be stored together. */
export function joinPublications(parts: readonly Publication[]): Publication {
  return {
    currentValues: parts.flatMap((part) => part.currentValues),
    versions: parts.flatMap((part) => part.versions),
    effects: parts.flatMap((part) => part.effects),
    browsers: parts.flatMap((part) => part.browsers),
    servers: parts.flatMap((part) => part.servers),
  }
}

/** Describes an environment as clients see it, with what it sets itself. */
interface EnvironmentView {
  readonly current: CurrentValues
  readonly definition: Definition
  readonly target: SnapshotTarget
  readonly resolved: ResolvedValues
  readonly segments: Segments
  readonly tree: PublishableState['tree']
  readonly content: OpenContent
}

/** Returns the views of environments by id. Leaves out environments that hold no values of the schema in `state`. */
function viewEnvironments(
  state: PublishableState,
  environmentIds: readonly string[],
  resolve: typeof resolveValues,
): ReadonlyMap<string, EnvironmentView> {
  const { schema, tree, currentValues, segments } = state
  const { definition } = schema
  const views = new Map<string, EnvironmentView>()
  for (const environmentId of environmentIds) {
    const current = currentValues.get(environmentId)
    if (current === undefined) continue
    const environment = tree.get(environmentId)?.name ?? ''
    const resolved = resolve(state, environmentId)
    views.set(environmentId, {
      current,
      definition,
      target: { schemaId: schema.id, schema: schema.name, environmentId, environment },
      resolved,
      segments,
      tree,
      content: renderOpenContent(definition, resolved, { environment, segments }),
    })
  }
  return views
}

/** Returns whether two views look the same to every browser, and to everybody who asks for an evaluation. */
function sameToBrowsers(one: EnvironmentView, other: EnvironmentView): boolean {
  return (
    one.content.text === other.content.text &&
    one.content.variables.open === other.content.variables.open &&
    one.target.schema === other.target.schema &&
    one.target.environment === other.target.environment &&
    sameMembers(one.content.flagSources, other.content.flagSources) &&
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

interface Views {
  /** `undefined` before the first version. */
  readonly was: EnvironmentView | undefined
  readonly is: EnvironmentView
}

function storeAlone(
  stored: Omit<CurrentValuesRecord, 'version' | 'browserVersion'>,
  { version, browserVersion }: CurrentValues,
): Publication {
  return { ...nothing, currentValues: [{ ...stored, version, browserVersion }] }
}

function countVersions(current: CurrentValues, differs: boolean) {
  return {
    version: Math.max(current.version, current.lostVersion) + 1,
    browserVersion: differs
      ? Math.max(current.browserVersion, current.lostBrowserVersion) + 1
      : current.browserVersion,
  }
}

function isArchived({ tree, target }: EnvironmentView): boolean {
  return tree.get(target.environmentId)?.isArchived ?? false
}

function planEnvironment(
  plan: PlanPublication,
  opener: SecretOpener,
  { was, is }: Views,
): Publication {
  const { current, target, content, definition } = is
  const { schemaId, environmentId } = target
  const kind = plan.kinds.get(environmentId)
  const differs = was === undefined || !sameToBrowsers(was, is)
  const visible = findVisibleChanges(was, is)
  const effects = findEffects(was, is, visible)
  // A secret that goes out under another name is news to servers alone.
  const isRenamed = was?.content.variables.all !== content.variables.all
  const { before, ...written } = findWritten(was?.current, current)
  const { lostVersion } = current
  const stored = { schemaId, environmentId, lostVersion, ...written }
  const isSame = !differs && !isRenamed && visible.length === 0
  if (kind === undefined && isSame) return { ...storeAlone(stored, current), effects }
  // Nothing is published of what has ended, whatever changes in what it inherits from.
  if (isArchived(is)) return storeAlone(stored, current)
  // No number comes twice: somebody may have read the versions that a restore has lost.
  const { version, browserVersion } = countVersions(current, differs)
  const { browser, server } = compileSnapshots({
    definition,
    target,
    content,
    secretTexts: opener.open(is.resolved),
    version,
    browserVersion: differs ? browserVersion : undefined,
  })
  const record = { ...recordContent(definition, visible, before, current), version }
  return {
    currentValues: [{ ...stored, version, browserVersion }],
    versions: [toVersion(plan, target, kind ?? plan.otherwise, record)],
    effects,
    browsers:
      browser === undefined
        ? []
        : [
            {
              ...signBrowser(plan, target, browserVersion, browser),
              changedFlags: findChangedFlags(was, is, version),
            },
          ],
    servers: [sealServer(plan, target, version, server)],
  }
}

/** Compares values, sources and rules as clients get them, variants and segments written out. */
function findChangedFlags(
  was: EnvironmentView | undefined,
  is: EnvironmentView,
  version: number,
): BrowserRecord['changedFlags'] {
  const flags = Object.keys({ ...was?.content.flagSources, ...is.content.flagSources })
  return Object.fromEntries(
    flags
      .filter((key) => was === undefined || describeFlag(was, key) !== describeFlag(is, key))
      .map((key) => [key, Object.hasOwn(is.content.flagSources, key) ? version : null]),
  )
}

function describeFlag({ content, resolved }: EnvironmentView, key: string): string {
  return JSON.stringify([
    content.flagSources[key],
    content.flagRules[key],
    resolved.get(key)?.value,
  ])
}

interface Written extends Pick<CurrentValuesRecord, 'values' | 'references'> {
  /** Holds what the environment set itself before the edit; `undefined` before the first version too. */
  readonly before: CurrentValues | undefined
}

/** Returns what an environment sets itself where that was edited, and the segments that it refers to. */
function findWritten(was: CurrentValues | undefined, is: CurrentValues): Written {
  return was === undefined || isEdited(was, is)
    ? { values: is, references: findReferences(was, is), before: was }
    : { values: undefined, references: undefined, before: undefined }
}

/** Returns the segments that an environment refers to; `undefined` when it refers to none and did not before. */
function findReferences(
  was: CurrentValues | undefined,
  is: CurrentValues,
): readonly SegmentReference[] | undefined {
  const references = referencesOf(is)
  const hadNone = was === undefined || referencesOf(was).length === 0
  return hadNone && references.length === 0 ? undefined : references
}

function toVersion(
  { author, comment, now }: PlanPublication,
  { schemaId, environmentId }: SnapshotTarget,
  kind: VersionKind,
  record: Pick<VersionRecord, 'version' | 'changes' | 'content'>,
): VersionRecord {
  const id = newId('ver', now)
  const made = { kind, author, comment: comment ?? null, createdAt: now }
  return { id, schemaId, environmentId, ...record, ...made }
}

const nothing: Publication = {
  currentValues: [],
  versions: [],
  effects: [],
  browsers: [],
  servers: [],
}

function signBrowser(
  { orgId, signer, now }: PlanPublication,
  target: SnapshotTarget,
  version: number,
  browser: NonNullable<CompiledSnapshots['browser']>,
): Omit<BrowserRecord, 'changedFlags'> {
  const { schemaId, environmentId } = target
  const row = { orgId, schemaId, environmentId, version }
  const signed = { audience: 'browser', ...row, publishedAtMs: now.getTime() } as const
  const signature = signer.sign(signed, browser.body)
  return { ...target, version, ...browser, signature, signedBy: signer.generation }
}

function sealServer(
  { orgId, sealer, signer, now }: PlanPublication,
  target: SnapshotTarget,
  version: number,
  { body, etag, secrets }: CompiledSnapshots['server'],
): ServerRecord {
  const { schemaId, environmentId } = target
  const row = { orgId, schemaId, environmentId, version }
  const signed = { audience: 'server', ...row, publishedAtMs: now.getTime() } as const
  const signature = signer.sign(signed, renderServerSnapshot(body, secrets))
  const sealedSecrets = sealer.seal(sealedSecretsAddress(row), secrets)
  const sealedSignature = sealer.seal(sealedSignatureAddress(row), signature)
  const signedBy = signer.generation
  return { ...target, version, body, etag, sealedSecrets, sealedSignature, signedBy }
}
