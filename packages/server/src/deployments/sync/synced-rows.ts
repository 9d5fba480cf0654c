import type { CodehostDeployment } from '../../providers/codehosts/deployment.ts'
import type { Tx } from '../../store/store.ts'
import type { EnvironmentMapping } from '../environments/map-environment.ts'

/** Describes a repository that a sync reads. */
export interface SyncedRepository {
  readonly id: string
  readonly externalId: string
  readonly fullName: string
  readonly defaultBranch: string
  readonly url: string
}

/** Finds the next repository after one, of those that are there and tracked. */
export async function findNextRepository(
  tx: Tx,
  orgId: string,
  after: string,
): Promise<SyncedRepository | undefined> {
  const [row] = await tx.query<SyncedRepository>({
    name: 'find-next-synced-repository',
    text: `select id, external_id as "externalId", full_name as "fullName", default_branch as "defaultBranch",
        coalesce(url, '') as url from repositories
      where org_id = $1 and id > $2 and external_id is not null and tracked and removed_at is null
      order by id limit 1`,
    values: [orgId, after],
  })
  return row
}

/** Marks the repositories that were not named since a moment: the host does not show them to us any more. */
export async function markMissingRepositories(
  tx: Tx,
  orgId: string,
  of: { readonly namedBefore: Date; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'mark-missing-repositories',
    text: `update repositories set removed_at = $3
      where org_id = $1 and external_id is not null and removed_at is null and named_at < $2`,
    values: [orgId, of.namedBefore, of.now],
  })
}

/**
 * Marks the repositories of another code host, which was connected before this one, as removed: they are not shown, and this host is
 * not asked for them. Their deployments stay.
 */
export async function markFormerRepositories(
  tx: Tx,
  orgId: string,
  of: { readonly instance: string; readonly connectedAt: Date; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'mark-former-repositories',
    text: `update repositories set removed_at = $4
      where org_id = $1 and external_id is not null and removed_at is null and named_at < $3
        and coalesce(substring(external_id from '^(.*)/'), '') <> $2`,
    values: [orgId, of.instance, of.connectedAt, of.now],
  })
}

/** Describes an environment as the host lists it. */
export interface ListedEnvironment {
  readonly name: string
  readonly mapping: EnvironmentMapping
}

/** Records all environments that the host lists for a repository, by one statement. */
export async function upsertListedEnvironments(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly environments: readonly ListedEnvironment[]
    readonly now: Date
  },
): Promise<void> {
  const { environments } = of
  await tx.query({
    name: 'upsert-listed-environments',
    text: `insert into host_environments as h
        (org_id, repository_id, name_key, name, environment_id, mapped_by, ignored, updated_at)
      select distinct on (lower(l.name)) $1, $2, lower(l.name), l.name, l.environment_id, l.mapped_by, l.ignored, $3::timestamptz
      from unnest($4::text[], $5::text[], $6::text[], $7::boolean[]) as l (name, environment_id, mapped_by, ignored)
      on conflict (org_id, repository_id, name_key) do update set name = excluded.name,
        environment_id = excluded.environment_id, mapped_by = excluded.mapped_by, ignored = excluded.ignored,
        removed_at = null, updated_at = excluded.updated_at
      where (h.name, h.environment_id, h.mapped_by, h.ignored, h.removed_at) is distinct from
        (excluded.name, excluded.environment_id, excluded.mapped_by, excluded.ignored, null)`,
    values: [
      orgId,
      of.repositoryId,
      of.now,
      environments.map(({ name }) => name),
      environments.map(({ mapping }) => mapping.environmentId),
      environments.map(({ mapping }) => mapping.mappedBy),
      environments.map(({ mapping }) => mapping.ignored),
    ],
  })
}

/**
 * Marks the environments of a repository that the host did not list. Leaves out those that were reported since the call, and
 * those that only pipelines name: the host never had them.
 */
export async function markMissingEnvironments(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly names: readonly string[]
    readonly askedAt: Date
    readonly now: Date
  },
): Promise<void> {
  await tx.query({
    name: 'mark-missing-environments',
    text: `update host_environments h set removed_at = $5, updated_at = $5
      where h.org_id = $1 and h.repository_id = $2 and h.removed_at is null and h.updated_at < $4
        and h.name_key <> all (select lower(name) from unnest($3::text[]) as l (name))
        and not exists (select from deployments d where d.org_id = $1 and d.repository_id = $2
          and d.host_key = h.name_key and d.source = 'api')`,
    values: [orgId, of.repositoryId, of.names, of.askedAt, of.now],
  })
}

const ended = `('success', 'failure', 'error', 'inactive')`

/** Lists those of `externalIds` whose deployments are known to have ended. */
export async function listEndedDeployments(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly deployments: readonly CodehostDeployment[] },
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ readonly externalId: string }>({
    name: 'list-ended-deployments',
    text: `select external_id as "externalId" from deployments
      where org_id = $1 and repository_id = $2 and external_id = any ($3) and reported_state in ${ended}
      union all select j.external_id from deployment_jobs j join deployments d on d.org_id = $1 and d.id = j.deployment_id
      where j.org_id = $1 and j.repository_id = $2 and j.external_id = any ($3) and d.reported_state in ${ended}`,
    values: [orgId, of.repositoryId, of.deployments.map(({ externalId }) => externalId)],
  })
  return new Set(rows.map(({ externalId }) => externalId))
}

/** Waits so long for a webhook before a sync counts it as missed. */
const webhookMs = 60_000

/** Counts the deployments that a sync found first although webhooks should have reported them. */
export async function countMissedWebhooks(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly externalIds: readonly string[]
    readonly connectedAt: Date
    readonly startedAt: Date
  },
): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>({
    name: 'count-missed-webhooks',
    text: `select count(*)::int as count from deployments
      where org_id = $1 and repository_id = $2 and external_id = any ($3) and source = 'sync' and recorded_at >= $5
        and created_at >= $4 and created_at < recorded_at - $6 * interval '1 millisecond'`,
    values: [orgId, of.repositoryId, of.externalIds, of.connectedAt, of.startedAt, webhookMs],
  })
  return row?.count ?? 0
}

/** Lists the deployments of a repository that were found long after they happened and whose commits were never compared. */
export async function listUnenriched(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-unenriched-deployments',
    text: `select id from deployments where org_id = $1 and repository_id = $2 and is_history and range is null
        and commits_skipped is null
      order by created_at desc limit 1000`,
    values: [orgId, repositoryId],
  })
  return rows.map(({ id }) => id)
}
