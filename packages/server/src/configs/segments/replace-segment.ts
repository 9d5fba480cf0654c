import type { SegmentGroup, Segments } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireSame } from '../../http/input/read-only-fields.ts'
import type { Tx } from '../../store/store.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import {
  toPolicies,
  type Confirmation,
  type EnvironmentPolicies,
  type Requirement,
} from '../../config-model/confirmation.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { descendantsOf, toTree, type EnvironmentTree } from '../../config-model/environment-tree.ts'
import {
  joinPublications,
  type Publication,
  type VersionRecord,
} from '../../config-model/plan-publication.ts'
import { listNeeds } from '../../config-model/approvals.ts'
import { publish } from '../publication/publish-rows.ts'
import { planRepublication, toSchemaState } from '../publication/structure.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import { lockAllCurrentRows, lockCurrentValues, lockStructure } from '../values/current-rows.ts'
import type { SchemaState } from '../../config-model/resolve-values.ts'
import type { ShownSegment } from './create-segment.ts'
import { readSegments } from './read-known-segments.ts'
import { toStoredGroups } from './segment-input.ts'
import {
  findSegmentRow,
  listSegmentTargets,
  listSegmentUses,
  storeSegment,
  type SegmentRow,
} from './segment-rows.ts'
import { namesOf } from '../../config-model/segment-texts.ts'

/** Describes what a segment is to be. */
interface ReplaceSegment {
  /** Left out: it stays as it is. */
  readonly description: string | undefined
  readonly anyOf: readonly SegmentGroup[]
  readonly dryRun: boolean
  readonly confirmation: Confirmation
  /** The version that the caller has seen. */
  readonly ifMatch: number | undefined
  /** The read-only fields of the segment that the request sent back. */
  readonly readOnly: { readonly name?: string | undefined }
}

/** Describes what the change of a segment changes for the clients of an environment. */
export interface SegmentEffect {
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly flags: readonly string[]
  /** `undefined` in a dry run. */
  readonly version: VersionRecord | undefined
}

/** Describes a segment after its replacement, with what that changed or would change. */
export interface ReplacedSegment extends ShownSegment {
  readonly environments: readonly SegmentEffect[]
  /** The requirements of the changed environments, whether or not the request meets them. */
  readonly requires: readonly Requirement[]
}

/**
 * Replaces the groups of a segment, and publishes every flag that refers to it, in one transaction. The same groups
 * again change nothing. A dry run stores nothing; it is refused with whatever the change is refused with, except a
 * missing confirmation.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `too_many_rules`, `value_too_large`, `quota_exceeded`,
 * `key_scope_forbidden`, `confirmation_required`, `comment_required`
 */
export async function replaceSegment(
  deps: ConfigDeps,
  caller: Caller,
  name: string,
  request: ReplaceSegment,
): Promise<ReplacedSegment> {
  requireReach(caller, 'writeValues', { environmentId: wildcardId, schemaId: wildcardId })
  const anyOf = toStoredGroups(request.anyOf)
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const row = await findSegmentRow(tx, orgId, name)
    if (row === undefined) throw notFound()
    requireSame({ id: row.name, name: row.name }, request.readOnly)
    requireVersion(row.version, request.ifMatch)
    const updated = update(row, { ...request, anyOf }, { now: deps.now(), author: caller.author })
    const used = await listSegmentUses(tx, { orgId, segment: name }, caller)
    if (updated === row) return { row, used, environments: [], requires: [] }
    const { publication, targets } = await planChange(deps, tx, caller, {
      row,
      updated,
      comment: request.confirmation.comment,
    })
    const { policies } = targets
    const requires = listNeeds(policies, publication)
    const effects = listEffects(publication, targets)
    if (request.dryRun) {
      const planned = effects.map((effect) => ({ ...effect, version: undefined }))
      return { row, used, environments: planned, requires }
    }
    const { confirmation } = request
    await storeSegment(tx, orgId, { row: updated, comment: confirmation.comment ?? null })
    await publish(deps, tx, orgId, { publication, policies, confirmation })
    recordChange(tx, caller, { row, updated, effects, confirmation })
    return { row: updated, used, environments: effects, requires }
  })
}

/** Returns the segment as it is to be; the very same object when nothing changes. */
function update(
  row: SegmentRow,
  { description = row.description, anyOf }: Pick<ReplaceSegment, 'description' | 'anyOf'>,
  { now, author }: { readonly now: Date; readonly author: SegmentRow['updatedBy'] },
): SegmentRow {
  if (description === row.description && isSame(anyOf, row.anyOf)) return row
  const made = { version: row.version + 1, updatedAt: now, updatedBy: author }
  return { ...row, description, anyOf, ...made }
}

function isSame(one: readonly SegmentGroup[], other: readonly SegmentGroup[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Holds the schemas that refer to a segment, and the environments with what they require. */
interface Targets {
  readonly schemas: readonly SchemaState[]
  readonly tree: EnvironmentTree
  readonly policies: EnvironmentPolicies
}

interface Change {
  readonly row: SegmentRow
  readonly updated: SegmentRow
  readonly comment: string | undefined
}

/**
 * Plans what a change publishes. Locks the current values of every environment first: a write that refers to the segment
 * is either stored by then and seen here, or waits and reads the segment as it is afterwards.
 */
async function planChange(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { row, updated, comment }: Change,
): Promise<{ readonly publication: Publication; readonly targets: Targets }> {
  const { orgId } = caller
  const environments = await listEnvironmentRows(tx, orgId)
  const targets: Targets = {
    schemas: [],
    tree: toTree(environments),
    policies: toPolicies(environments),
  }
  if (isSame(row.anyOf, updated.anyOf)) return { publication: joinPublications([]), targets }
  await lockAllCurrentRows(tx, orgId)
  const referring = await listSegmentTargets(tx, orgId, row.name)
  const schemaIds = [...new Set(referring.map(({ schemaId }) => schemaId))]
  const schemas = (await listSchemaRows(tx, orgId))
    .filter(({ id }) => schemaIds.includes(id))
    .map(toSchemaState)
  const currentValues = await lockCurrentValues(tx, orgId, { schemaIds, environmentIds: null })
  const all = [...currentValues.values()].flatMap((group) => [...group.values()])
  const { groups } = await readSegments(tx, orgId, [row.name, ...namesOf(all)])
  const structure = { schemas, tree: targets.tree, currentValues }
  const publication = await planRepublication(deps, tx, caller, {
    before: structure,
    after: structure,
    segments: { before: groups, after: replace(groups, updated) },
    environmentIds: familiesOf(targets.tree, referring),
    kinds: new Map(),
    otherwise: 'segment',
    comment,
  })
  return { publication, targets: { ...targets, schemas } }
}

function replace(groups: Segments, { name, anyOf }: SegmentRow): Segments {
  return { ...groups, [name]: anyOf }
}

/** Returns the environments that refer to the segment, and those that inherit from them. */
function familiesOf(
  tree: EnvironmentTree,
  referring: readonly { readonly environmentId: string }[],
): readonly string[] {
  const ids = referring.flatMap(({ environmentId }) => [
    environmentId,
    ...descendantsOf(tree, environmentId).map(({ id }) => id),
  ])
  return [...new Set(ids)]
}

function listEffects({ versions }: Publication, { schemas, tree }: Targets): SegmentEffect[] {
  const schemaNames = new Map(schemas.map(({ id, name }) => [id, name]))
  return versions.map((version) => {
    const { schemaId, environmentId, changes } = version
    return {
      schemaId,
      schema: schemaNames.get(schemaId) ?? '',
      environmentId,
      environment: tree.get(environmentId)?.name ?? '',
      flags: changes.map(({ key }) => key),
      version,
    }
  })
}

interface RecordedChange {
  readonly row: SegmentRow
  readonly updated: SegmentRow
  readonly effects: readonly SegmentEffect[]
  readonly confirmation: Confirmation
}

function recordChange(
  tx: Tx,
  caller: Caller,
  { row, updated, effects, confirmation: { comment } }: RecordedChange,
): void {
  const flags = new Set(
    effects.flatMap(({ schemaId, flags: keys }) => keys.map((key) => `${schemaId} ${key}`)),
  )
  const fields = [
    ...(isSame(row.anyOf, updated.anyOf) ? [] : ['anyOf']),
    ...(row.description === updated.description ? [] : ['description']),
  ]
  recordConfigEvent(tx, caller, {
    action: 'segment.updated',
    target: { type: 'segment', id: null, name: updated.name },
    detail: {
      version: updated.version,
      fields,
      flags: flags.size,
      environmentIds: [...new Set(effects.map(({ environmentId }) => environmentId))],
      ...(comment !== undefined && { comment }),
    },
  })
}
