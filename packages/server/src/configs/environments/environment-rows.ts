import type { Tx } from '../../store/store.ts'
import { isAnyId } from '@signalbox/contract'
import type { Protection } from '../../config-model/confirmation.ts'

/** Names what a preview belongs to, as it is stored. */
export interface EnvironmentSource {
  readonly repositoryId: string
  /** The code host's id. `null`: only pipelines report the repository. */
  readonly externalId: string | null
  readonly repository: string
  readonly pullRequest: number | null
  readonly hostEnvironment: string
}

/** Holds what the rows of environments that are no previews have in the columns of previews. */
export const noPreview = {
  source: null,
  inheritedSecrets: null,
  archivedAt: null,
  isArchived: false,
} as const

/** Describes an environment as it is stored. */
export interface EnvironmentRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly production: boolean
  readonly protection: Protection
  readonly parentId: string | null
  /** Names what a preview belongs to. `null`: it is none. */
  readonly source: EnvironmentSource | null
  /** Lists the keys whose secrets a preview inherits. `null`: all. */
  readonly inheritedSecrets: readonly string[] | null
  readonly archivedAt: Date | null
  readonly isArchived: boolean
  /** Counts the changes. */
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Builds the protection of an environment in a statement that reads the table. */
export const protectionColumn = `json_build_object('confirm', confirm_changes, 'comment', comment_changes, 'approvals', approvals,
  'approvers', approvers, 'declineBlocks', decline_blocks, 'override', override_by, 'killSwitches', kill_switches, 'prove', prove)`

const columns = `id, name, description, production, ${protectionColumn} as protection, parent_id as "parentId", revision,
  source, inherited_secrets as "inheritedSecrets", archived_at as "archivedAt", archived_at is not null as "isArchived",
  created_at as "createdAt", updated_at as "updatedAt"`

/** Lists every environment of an organization, oldest first. There are at most fifty, and two hundred previews. */
export async function listEnvironmentRows(tx: Tx, orgId: string): Promise<EnvironmentRow[]> {
  return tx.query<EnvironmentRow>({
    name: 'list-environments',
    text: `select ${columns} from environments where org_id = $1 order by id`,
    values: [orgId],
  })
}

/** Lists a page of environments after an id, oldest first; `ids` narrows it to what a restricted key may see. */
export async function pageEnvironmentRows(
  tx: Tx,
  orgId: string,
  page: { readonly after: string; readonly limit: number; readonly ids: readonly string[] | null },
): Promise<EnvironmentRow[]> {
  return tx.query<EnvironmentRow>({
    name: 'page-environments',
    text: `select ${columns} from environments
      where org_id = $1 and id > $2 and ($4::text[] is null or id = any ($4)) order by id limit $3`,
    values: [orgId, page.after, page.limit, page.ids],
  })
}

/** Finds the environment with this id, or with this name in any case. A name never has the form of an id. */
export async function findEnvironmentRow(
  tx: Tx,
  orgId: string,
  ref: string,
): Promise<EnvironmentRow | undefined> {
  const byId = isAnyId(ref)
  const [row] = await tx.query<EnvironmentRow>({
    name: byId ? 'find-environment' : 'find-environment-by-name',
    text: `select ${columns} from environments where org_id = $1 and ${byId ? 'id = $2' : 'lower(name) = lower($2)'}`,
    values: [orgId, ref],
  })
  return row
}

/** Inserts an environment; throws the database's error for a name that is taken. */
export async function insertEnvironmentRow(
  tx: Tx,
  orgId: string,
  row: EnvironmentRow,
): Promise<void> {
  await tx.query({
    name: 'insert-environment',
    text: `insert into environments (org_id, id, name, description, production, parent_id, revision, created_at,
      updated_at, confirm_changes, comment_changes, approvals, approvers, decline_blocks, override_by, kill_switches,
      prove, source, inherited_secrets)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    values: [
      orgId,
      row.id,
      row.name,
      row.description,
      row.production,
      row.parentId,
      row.revision,
      row.createdAt,
      row.updatedAt,
      ...protectionValues(row),
      row.source && JSON.stringify(row.source),
      row.inheritedSecrets,
    ],
  })
}

/** Updates every column of an environment except its id and its creation. */
export async function updateEnvironmentRow(
  tx: Tx,
  orgId: string,
  row: EnvironmentRow,
): Promise<void> {
  await tx.query({
    name: 'update-environment',
    text: `update environments set name = $3, description = $4, production = $5, parent_id = $6, revision = $7,
      updated_at = $8, confirm_changes = $9, comment_changes = $10, approvals = $11, approvers = $12, decline_blocks = $13,
      override_by = $14, kill_switches = $15, prove = $16 where org_id = $1 and id = $2`,
    values: [
      orgId,
      row.id,
      row.name,
      row.description,
      row.production,
      row.parentId,
      row.revision,
      row.updatedAt,
      ...protectionValues(row),
    ],
  })
}

/** Updates what says which secrets a preview inherits, and that it has ended. Counts the change. */
export async function updatePreviewColumns(
  tx: Tx,
  orgId: string,
  {
    id,
    inheritedSecrets,
    archivedAt,
  }: Pick<EnvironmentRow, 'id' | 'inheritedSecrets' | 'archivedAt'>,
): Promise<void> {
  await tx.query({
    name: 'update-preview-columns',
    text: `update environments set inherited_secrets = $3, archived_at = $4, revision = revision + 1
      where org_id = $1 and id = $2 and source is not null`,
    values: [orgId, id, inheritedSecrets, archivedAt],
  })
}

/** Returns the values of the columns that hold a protection, in their order in both statements. */
function protectionValues({ protection }: EnvironmentRow) {
  const { confirm, comment, approvals, approvers, declineBlocks, override, killSwitches, prove } =
    protection
  return [
    confirm,
    comment,
    approvals,
    JSON.stringify(approvers),
    declineBlocks,
    override,
    killSwitches,
    prove && JSON.stringify(prove),
  ]
}

/** Returns since when nobody can meet the policy of an environment that nobody may override, and keeps that until the transaction ends. */
export async function holdStuckPolicy(
  tx: Tx,
  orgId: string,
  environmentId: string,
): Promise<Date | undefined> {
  await tx.query({
    name: 'lock-approvers',
    text: `select pg_advisory_xact_lock(hashtextextended('approvers ' || $1, 0))`,
    values: [orgId],
  })
  const [row] = await tx.query<{ since: Date }>({
    name: 'find-stuck-policy',
    text: 'select since from stuck_policies where org_id = $1 and environment_id = $2',
    values: [orgId, environmentId],
  })
  return row?.since
}

/** Notes who has chosen other approvers without an approval, for all members to see. */
export async function noteReplacedApprovers(
  tx: Tx,
  orgId: string,
  { id, by, at }: { readonly id: string; readonly by: string; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'note-replaced-approvers',
    text: 'update environments set approvers_replaced = $3 where org_id = $1 and id = $2',
    values: [orgId, id, JSON.stringify({ member: by, at: at.toISOString() })],
  })
}

/** Deletes an environment with its current values and versions. */
export async function deleteEnvironmentRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-environment',
    text: 'delete from environments where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}
