import type { Tx } from '../../store/store.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireReach, type Caller } from '../caller.ts'
import { commit, emitEnvironments, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { requireConsent, toPolicies, type Consent, type EnvironmentPolicies } from './consent.ts'
import {
  applyProtection,
  isWeaker,
  refuseParent,
  requireFreeName,
  requireProtector,
  type GivenProtection,
} from './environment-rules.ts'
import {
  findEnvironmentRow,
  listEnvironmentRows,
  updateEnvironmentRow,
  type EnvironmentRow,
} from './environment-rows.ts'
import { familyOf, toTree, type EnvironmentTree } from './environment-tree.ts'
import { lockHeads, lockStructure } from '../values/head-rows.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import { republish, toSchemaState } from '../publication/structure.ts'
import { requireVersion } from '../refuse.ts'

export interface UpdateEnvironment {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  /** What is given of it is changed. */
  readonly protection?: GivenProtection | undefined
  /** `null`: none. */
  readonly parentId?: string | null | undefined
}

/**
 * Changes an environment. A new name is published at once, and with a new parent so are the values inherited from it.
 *
 * @throws {Problem} `not_found`, `already_exists`, `conflict`, `revision_mismatch`, `role_forbidden` and
 * `key_kind_forbidden` for its protection, `confirmation_required`, `comment_required`, what `admitSecrets` refuses
 */
export async function updateEnvironment(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  change: UpdateEnvironment & {
    readonly ifMatch: number | undefined
    readonly consent: Consent
    /** Asked before the secrets of another environment are inherited, by which others may read them. */
    readonly admitSecrets: () => void
  },
): Promise<EnvironmentRow> {
  return commit(deps, caller, async (tx) => {
    const { orgId } = caller
    await lockStructure(tx, orgId)
    const found = await findEnvironmentRow(tx, orgId, ref)
    requireReach(caller, { environmentId: found?.id ?? ref })
    // Whoever chooses the parent of an environment reads what the parent holds.
    requireReach(caller, { environmentId: change.parentId ?? found?.id ?? ref })
    if (found === undefined) throw notFound()
    requireVersion(found.revision, change.ifMatch)
    const updated = apply(found, change, deps.now())
    const fields = changedFields(found, updated)
    if (fields.length === 0) return found
    if (fields.includes('protection')) requireProtector(caller)
    if (fields.includes('parentId') && updated.parentId !== null) change.admitSecrets()
    await store(deps, tx, caller, { found, updated, fields, consent: change.consent })
    return updated
  })
}

interface Change {
  readonly found: EnvironmentRow
  readonly updated: EnvironmentRow
  readonly fields: readonly string[]
  readonly consent: Consent
}

async function store(deps: ConfigDeps, tx: Tx, caller: Caller, change: Change): Promise<void> {
  const { orgId } = caller
  const { found, updated, fields, consent } = change
  const environments = await listEnvironmentRows(tx, orgId)
  requireFreeName(environments, updated)
  const before = toTree(environments)
  const after = toTree(environments.map((row) => (row.id === updated.id ? updated : row)))
  refuseParent(after, updated)
  const policies = toPolicies(environments)
  await updateEnvironmentRow(tx, orgId, updated)
  if (fields.includes('name') || fields.includes('parentId')) {
    await publishChange(deps, tx, caller, { ...change, before, after, policies })
  } else if (asksConsent(found, updated)) {
    requireConsent(policies, [found.id], consent)
  }
  if (fields.includes('name')) await emitEnvironments(deps, tx, orgId)
  recordUpdate(tx, caller, change)
}

function recordUpdate(tx: Tx, caller: Caller, { found, updated, fields, consent }: Change): void {
  const protection = { before: found.protection, after: updated.protection }
  recordConfigEvent(tx, caller, {
    action: 'environment.updated',
    target: { type: 'environment', id: updated.id, name: updated.name },
    detail: {
      fields,
      ...(fields.includes('protection') && { protection }),
      ...(consent.comment !== undefined && { comment: consent.comment }),
    },
  })
}

function apply(found: EnvironmentRow, change: UpdateEnvironment, now: Date): EnvironmentRow {
  return {
    ...found,
    name: change.name ?? found.name,
    description: change.description ?? found.description,
    production: change.production ?? found.production,
    protection: applyProtection(found.protection, change.protection),
    parentId: change.parentId === undefined ? found.parentId : change.parentId,
    revision: found.revision + 1,
    updatedAt: now,
  }
}

function changedFields(found: EnvironmentRow, updated: EnvironmentRow): string[] {
  const fields = ['name', 'description', 'production', 'parentId'] as const
  const isReprotected = (['confirm', 'comment'] as const).some(
    (field) => found.protection[field] !== updated.protection[field],
  )
  const changed = fields.filter((field) => found[field] !== updated[field])
  return isReprotected ? [...changed, 'protection'] : changed
}

/** Whether what is changed beside name and parent is what the protection of the environment is for. */
function asksConsent(found: EnvironmentRow, updated: EnvironmentRow): boolean {
  return found.production !== updated.production || isWeaker(found.protection, updated.protection)
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
  { before, after, found, updated, policies, consent }: PublishedChange,
): Promise<void> {
  const { orgId } = caller
  const { id } = updated
  const family = [...familyOf(before, id), ...familyOf(after, id)].map((node) => node.id)
  const environmentIds = [...new Set(family)]
  const schemas = (await listSchemaRows(tx, orgId)).map(toSchemaState)
  const heads = await lockHeads(tx, orgId, { schemaIds: null, environmentIds })
  const isRenamed = found.name !== updated.name
  await republish(deps, tx, caller, {
    before: { schemas, tree: before, heads },
    after: { schemas, tree: after, heads },
    environmentIds,
    policies,
    consent,
    alsoChanged: [id],
    kinds: new Map(isRenamed ? [[id, 'renamed']] : []),
    otherwise: 'inherited',
  })
}
