import { isDeepStrictEqual } from 'node:util'
import { Problem, stuckPolicyMs } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireSame } from '../../http/input/read-only-fields.ts'
import {
  requireInheriting,
  requireReach,
  wildcardId,
  type Caller,
} from '../../config-model/caller.ts'
import { commit, emitEnvironments, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { wholeEnvironment, type Effect } from '../../config-model/effects.ts'
import { requireProtection } from '../../config-model/approval-check.ts'
import {
  requireConfirmation,
  toPolicies,
  type Confirmation,
  type EnvironmentPolicies,
} from '../../config-model/confirmation.ts'
import {
  applyProtection,
  isWeaker,
  needsFewerPeople,
  refuseParent,
  refusePreviewAsParent,
  refusePreviewChange,
  requireFreeName,
  requireProtector,
  type ProtectionChange,
} from './environment-rules.ts'
import {
  findEnvironmentRow,
  holdStuckPolicy,
  listEnvironmentRows,
  noteReplacedApprovers,
  updateEnvironmentRow,
  type EnvironmentRow,
} from './environment-rows.ts'
import {
  descendantsOf,
  familyOf,
  toTree,
  type EnvironmentTree,
} from '../../config-model/environment-tree.ts'
import { requireApprovers, requireSignals } from './require-approvers.ts'
import { lockCurrentValues, lockStructure } from '../values/current-rows.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import { republish, toSchemaState } from '../publication/structure.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'

/** Describes a change of an environment; what it leaves out stays as it is. */
export interface UpdateEnvironment {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  readonly protection?: ProtectionChange | undefined
  /** `null`: no parent. */
  readonly parentId?: string | null | undefined
}

/**
 * Changes an environment. A new name is published at once, and with a new parent so are the values inherited from it.
 *
 * @throws {Problem} `not_found`, `already_exists`, `conflict`, `revision_mismatch`, `role_forbidden` and
 * `key_kind_forbidden` for its protection, `confirmation_required`, `comment_required`, what `authorizeSecrets`,
 * `authorizeOwner` and `requireApprovers` throw
 */
export async function updateEnvironment(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  change: UpdateEnvironment & {
    readonly ifMatch: number | undefined
    readonly readOnly: { readonly id?: string | undefined }
    readonly confirmation: Confirmation
    /** Called before the environment inherits the secrets of another one, because others may read them here. */
    readonly authorizeSecrets: () => void
    /** Requires the password of an owner who is signed in. Left out: the caller is none. */
    readonly authorizeOwner?: (() => void) | undefined
  },
): Promise<EnvironmentRow> {
  return commit(deps, caller, async (tx) => {
    const { orgId } = caller
    await lockStructure(tx, orgId)
    const existing = await findEnvironmentRow(tx, orgId, ref)
    const environmentId = existing?.id ?? ref
    requireReach(caller, 'manageEnvironments', { environmentId, schemaId: wildcardId })
    // With a parent the environment serves the secrets that the parent holds, so the caller has to reach these too.
    if (typeof change.parentId === 'string') {
      requireReach(caller, 'readSecrets', { environmentId: change.parentId, schemaId: wildcardId })
    }
    if (existing === undefined) throw notFound()
    requireSame(existing, change.readOnly)
    requireVersion(existing.revision, change.ifMatch)
    const updated = apply(existing, change, deps.now())
    const fields = changedFields(existing, updated)
    if (fields.length === 0) return existing
    refusePreviewChange(existing, fields)
    if (fields.includes('protection')) requireProtector(caller, environmentId)
    await requireSignals(tx, orgId, updated.protection)
    const protection = { before: existing.protection, after: updated.protection }
    await requireApprovers(tx, orgId, { environmentId, ...protection })
    if (fields.includes('parentId')) await requireDescendants(tx, caller, environmentId)
    if (fields.includes('parentId') && updated.parentId !== null) change.authorizeSecrets()
    const { confirmation } = change
    const stored = { existing, updated, fields, confirmation }
    const isReplaced = await replaceApprovers(deps, tx, caller, {
      ...stored,
      authorizeOwner: change.authorizeOwner,
    })
    if (!isReplaced) await store(deps, tx, caller, stored)
    return updated
  })
}

/**
 * Refuses a new parent where an environment inherits through this one in which the caller may not write: it would serve the values
 * of the new parent.
 *
 * @throws {Problem} as `requireInheriting`
 */
async function requireDescendants(tx: Tx, caller: Caller, environmentId: string): Promise<void> {
  const tree = toTree(await listEnvironmentRows(tx, caller.orgId))
  for (const { id } of descendantsOf(tree, environmentId))
    requireInheriting(caller, { environmentId: id, schemaId: wildcardId })
}

interface Change {
  readonly existing: EnvironmentRow
  readonly updated: EnvironmentRow
  readonly fields: readonly string[]
  readonly confirmation: Confirmation
}

async function store(deps: ConfigDeps, tx: Tx, caller: Caller, change: Change): Promise<void> {
  const { orgId } = caller
  const { existing, updated, fields, confirmation } = change
  const environments = await listEnvironmentRows(tx, orgId)
  requireFreeName(environments, updated)
  const before = toTree(environments)
  const after = toTree(environments.map((row) => (row.id === updated.id ? updated : row)))
  refuseParent(after, updated)
  refusePreviewAsParent(environments, updated.parentId)
  const policies = toPolicies(environments)
  await updateEnvironmentRow(tx, orgId, updated)
  if (fields.includes('name') || fields.includes('parentId')) {
    await publishChange(deps, tx, caller, { ...change, before, after, policies })
  } else if (needsConfirmation(existing, updated)) {
    const effects = weakeningOf(existing, updated)
    requireProtection(deps, { policies, environmentIds: [existing.id], confirmation, effects })
  }
  if (fields.includes('name')) await emitEnvironments(deps, tx, orgId)
  recordUpdate(tx, caller, change)
}

/**
 * Lets an owner choose others to approve where nobody has been able to meet the policy for 72 hours and nobody may override it.
 * Every member sees it. Returns whether the change is one of these.
 *
 * @throws {Problem} `conflict` before that, `confirmation_required`, `comment_required`, what `authorizeOwner` throws
 */
async function replaceApprovers(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { authorizeOwner, ...change }: Change & { readonly authorizeOwner: (() => void) | undefined },
): Promise<boolean> {
  const { existing, updated, confirmation } = change
  if (authorizeOwner === undefined || deps.approvalCheck.isOfRequest) return false
  if (!choosesApproversAlone(change)) return false
  const { orgId } = caller
  const { id, name } = existing
  const since = await holdStuckPolicy(tx, orgId, id)
  if (since === undefined) return false
  const from = new Date(since.getTime() + stuckPolicyMs)
  const now = deps.now()
  if (now < from) {
    const detail = `Nobody can approve a change of ${name} since ${since.toISOString()}. If that stays so, an owner may choose other approvers from ${from.toISOString()}, 72 hours later.`
    const errors = [{ pointer: '/protection/approvers', code: 'conflict' as const, detail }]
    throw new Problem('conflict', detail, { errors })
  }
  requireConfirmation(toPolicies([existing]), [id], confirmation)
  authorizeOwner()
  await updateEnvironmentRow(tx, orgId, updated)
  await noteReplacedApprovers(tx, orgId, { id, by: caller.author.name, at: now })
  recordUpdate(tx, caller, change, 'environment.approvers_replaced')
  return true
}

function choosesApproversAlone({ existing, updated, fields }: Change): boolean {
  const { approvers } = updated.protection
  return (
    fields.every((field) => field === 'protection') &&
    isDeepStrictEqual({ ...existing.protection, approvers }, updated.protection) &&
    needsFewerPeople(existing.protection, updated.protection)
  )
}

function recordUpdate(
  tx: Tx,
  caller: Caller,
  { existing, updated, fields, confirmation }: Change,
  action: 'environment.updated' | 'environment.approvers_replaced' = 'environment.updated',
): void {
  const protection = { before: existing.protection, after: updated.protection }
  recordConfigEvent(tx, caller, {
    action,
    target: { type: 'environment', id: updated.id, name: updated.name },
    detail: {
      fields,
      ...(fields.includes('protection') && { protection }),
      ...(confirmation.comment !== undefined && { comment: confirmation.comment }),
    },
  })
}

function apply(existing: EnvironmentRow, change: UpdateEnvironment, now: Date): EnvironmentRow {
  return {
    ...existing,
    name: change.name ?? existing.name,
    description: change.description ?? existing.description,
    production: change.production ?? existing.production,
    protection: applyProtection(existing.protection, change.protection),
    parentId: change.parentId === undefined ? existing.parentId : change.parentId,
    revision: existing.revision + 1,
    updatedAt: now,
  }
}

function changedFields(existing: EnvironmentRow, updated: EnvironmentRow): string[] {
  const fields = ['name', 'description', 'production', 'parentId'] as const
  const isReprotected = !isDeepStrictEqual(existing.protection, updated.protection)
  const changed = fields.filter((field) => existing[field] !== updated[field])
  return isReprotected ? [...changed, 'protection'] : changed
}

/**
 * Returns whether fields other than name and parent change in a way that the environment's protection covers:
 * `production`, and a weaker protection.
 */
function needsConfirmation(existing: EnvironmentRow, updated: EnvironmentRow): boolean {
  return (
    existing.production !== updated.production || isWeaker(existing.protection, updated.protection)
  )
}

/** Returns the effect of a policy that asks for less than before. */
function weakeningOf(existing: EnvironmentRow, updated: EnvironmentRow): Effect[] {
  if (!needsFewerPeople(existing.protection, updated.protection)) return []
  const [before, after] = [existing, updated].map(({ protection }) => ({ protection }))
  return [{ ...wholeEnvironment(existing), before: before ?? null, after: after ?? null }]
}

/** Returns the effects of another parent, here and where environments inherit from this one, whether or not a value differs now. */
function reparentingOf(was: EnvironmentTree, is: EnvironmentTree, id: string): Effect[] {
  const [from, to] = [was, is].map((tree) => tree.get(tree.get(id)?.parentId ?? '')?.name ?? null)
  if (from === to) return []
  const reached = [is.get(id), ...descendantsOf(is, id)].filter((node) => node !== undefined)
  return reached.map((node) => ({
    ...wholeEnvironment(node),
    before: { parent: from ?? null },
    after: { parent: to ?? null },
  }))
}

interface PublishedChange extends Change {
  readonly before: EnvironmentTree
  readonly after: EnvironmentTree
  readonly policies: EnvironmentPolicies
}

async function publishChange(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { before, after, existing, updated, policies, confirmation }: PublishedChange,
): Promise<void> {
  const { orgId } = caller
  const { id } = updated
  const family = [...familyOf(before, id), ...familyOf(after, id)].map((node) => node.id)
  const environmentIds = [...new Set(family)]
  const schemas = (await listSchemaRows(tx, orgId)).map(toSchemaState)
  const currentValues = await lockCurrentValues(tx, orgId, { schemaIds: null, environmentIds })
  const isRenamed = existing.name !== updated.name
  await republish(deps, tx, caller, {
    before: { schemas, tree: before, currentValues },
    after: { schemas, tree: after, currentValues },
    environmentIds,
    policies,
    confirmation,
    alsoChanged: [id],
    alsoEffects: [...weakeningOf(existing, updated), ...reparentingOf(before, after, id)],
    kinds: new Map(isRenamed ? [[id, 'renamed']] : []),
    otherwise: 'inherited',
  })
}
