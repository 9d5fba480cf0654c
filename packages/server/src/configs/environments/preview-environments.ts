import { cutText, limits, Problem, unprotected } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import { toPolicies } from '../../config-model/confirmation.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import { emitEnvironments, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { withdrawPublications } from '../publication/publication-rows.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import { lockStructure, skipWithdrawn } from '../values/current-rows.ts'
import { refuseParent, refusePreviewAsParent } from './environment-rules.ts'
import {
  deleteEnvironmentRow,
  insertEnvironmentRow,
  listEnvironmentRows,
  updatePreviewColumns,
  type EnvironmentRow,
  type EnvironmentSource,
} from './environment-rows.ts'
import { publishEnvironment } from './publish-environment.ts'

/** Describes an environment that lives as long as its pull request, before there is one. */
export interface CreatePreview {
  readonly source: EnvironmentSource
  readonly parentId: string
  /** Lists the keys whose secrets it inherits. `null`: all. */
  readonly inheritedSecrets: readonly string[] | null
}

/** Holds back every other change of the environments of an organization until the transaction ends. */
export const lockEnvironments: typeof lockStructure = lockStructure

/**
 * Creates a preview in the transaction of the caller, and publishes every schema in it with the values of its parent.
 *
 * @throws {Problem} `quota_exceeded`, `not_found` or `conflict` for a parent that cannot be one
 */
export async function createPreview(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { source, parentId, inheritedSecrets }: CreatePreview,
): Promise<EnvironmentRow> {
  const { orgId } = caller
  await lockStructure(tx, orgId)
  const environments = await listEnvironmentRows(tx, orgId)
  requirePreviewQuota(environments)
  const now = deps.now()
  const created: EnvironmentRow = {
    id: newId('env', now),
    name: freeName(environments, source),
    description: '',
    production: false,
    protection: unprotected,
    parentId,
    source,
    inheritedSecrets,
    archivedAt: null,
    isArchived: false,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
  const all = [...environments, created]
  refuseParent(toTree(all), created)
  refusePreviewAsParent(environments, parentId)
  await insertEnvironmentRow(tx, orgId, created)
  await publishEnvironment(deps, tx, caller, {
    id: created.id,
    before: toTree(environments),
    after: toTree(all),
    policies: toPolicies(all),
  })
  await settle(deps, tx, caller, { action: 'environment.created', environment: created })
  return created
}

/** Withdraws all that is published of a preview, and answers its readers with `ended`. Its values stay. */
export async function archivePreview(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { id, ended }: { readonly id: string; readonly ended: string },
): Promise<void> {
  const { orgId } = caller
  await lockStructure(tx, orgId)
  const environment = await findPreview(tx, orgId, id)
  if (environment === undefined || environment.isArchived) return
  await withdraw(tx, orgId, id, ended)
  await updatePreviewColumns(tx, orgId, { ...environment, archivedAt: deps.now() })
  const detail = { archived: true, reason: ended }
  await settle(deps, tx, caller, { action: 'environment.updated', environment, detail })
}

/**
 * Publishes a preview anew, with the secrets that it inherits from now on: after it was archived, or when its rule names others. No
 * older version of it can be read afterwards.
 */
export async function renewPreview(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { id, inheritedSecrets }: Pick<CreatePreview, 'inheritedSecrets'> & { readonly id: string },
): Promise<void> {
  const { orgId } = caller
  await lockStructure(tx, orgId)
  const environments = await listEnvironmentRows(tx, orgId)
  const environment = environments.find((row) => row.id === id && row.source !== null)
  if (environment === undefined) return
  // An archived preview was withdrawn, and its numbers are skipped already.
  if (!environment.isArchived) await withdraw(tx, orgId, id, null)
  const renewed = { ...environment, inheritedSecrets, archivedAt: null, isArchived: false }
  await updatePreviewColumns(tx, orgId, renewed)
  await publishEnvironment(deps, tx, caller, {
    id,
    before: toTree(environments.filter((row) => row.id !== id)),
    after: toTree(environments.map((row) => (row.id === id ? renewed : row))),
    policies: toPolicies(environments),
  })
  const detail = { archived: false, secrets: inheritedSecrets ?? 'all' }
  await settle(deps, tx, caller, { action: 'environment.updated', environment, detail })
}

/** Deletes a preview with its values and versions, and withdraws what was published of it. */
export async function removePreview(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<void> {
  const { orgId } = caller
  await lockStructure(tx, orgId)
  const environment = await findPreview(tx, orgId, id)
  if (environment === undefined) return
  await withdraw(tx, orgId, id, null)
  await deleteEnvironmentRow(tx, orgId, id)
  await settle(deps, tx, caller, { action: 'environment.deleted', environment })
}

async function findPreview(tx: Tx, orgId: string, id: string): Promise<EnvironmentRow | undefined> {
  const rows = await listEnvironmentRows(tx, orgId)
  return rows.find((row) => row.id === id && row.source !== null)
}

async function withdraw(tx: Tx, orgId: string, id: string, ended: string | null): Promise<void> {
  const schemas = await listSchemaRows(tx, orgId)
  const pairs = schemas.map((schema) => ({ schemaId: schema.id, environmentId: id }))
  await withdrawPublications(tx, orgId, pairs, ended)
  await skipWithdrawn(tx, orgId, id)
}

interface Settled {
  readonly action: 'environment.created' | 'environment.updated' | 'environment.deleted'
  readonly environment: EnvironmentRow
  readonly detail?: Readonly<Record<string, unknown>>
}

async function settle(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { action, environment: { id, name, source, parentId }, detail }: Settled,
): Promise<void> {
  tx.announce('snapshots')
  await emitEnvironments(deps, tx, caller.orgId)
  const preview = { repository: source?.repository, pullRequest: source?.pullRequest, parentId }
  const target = { type: 'environment', id, name }
  recordConfigEvent(tx, caller, { action, target, detail: { preview, ...detail } })
}

function requirePreviewQuota(environments: readonly EnvironmentRow[]): void {
  const { previewsPerOrganization: max } = limits
  if (environments.filter(({ source }) => source !== null).length < max) return
  const detail = `An organization has at most ${max} previews, with those that ended in the last seven days. Delete one first.`
  throw new Problem('quota_exceeded', detail)
}

const nameLength = 63

/** Returns a name as the code host has it, as far as an environment may be called so, and with the repository where that is taken. */
function freeName(
  environments: readonly EnvironmentRow[],
  { hostEnvironment, repository }: EnvironmentSource,
): string {
  const taken = new Set(environments.map(({ name }) => name.toLowerCase()))
  const short = repository.split('/').at(-1) ?? repository
  const names = [hostEnvironment, `${hostEnvironment}-${short}`].map(toName)
  const free = names.find((name) => !taken.has(name.toLowerCase()))
  if (free !== undefined) return free
  const base = cutText(names[1] ?? '', nameLength - 4)
  for (let number = 2; ; number++) {
    const name = `${base}-${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

function toName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return cutText(name === '' ? 'preview' : name, nameLength)
}
