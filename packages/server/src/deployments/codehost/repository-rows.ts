import { takeRandomBytes } from '../../crypto/random.ts'
import type { CodehostRepository } from '../../providers/codehosts/repository.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a repository as it is stored. */
export interface RepositoryRow {
  readonly id: string
  /** The provider's number; `null`: reported by a pipeline, known by its name alone. */
  readonly externalId: string | null
  readonly fullName: string
  /** Its page at the code host; `null`: no code host has named it. */
  readonly url: string | null
  readonly tracked: boolean
}

/** Describes a repository as the code host names it. */
export interface HostRepositoryRow extends RepositoryRow {
  /** True when this report is the first with its name. Pipelines may have reported under that name before. */
  readonly isRenamed: boolean
}

/** Returns the SQL of the id of the repository with a name: the code host's one where a pipeline reported another. */
export function repositoryNamed(name: string): string {
  return `(select n.id from repositories n where n.org_id = $1 and lower(n.full_name) = lower(${name})
    order by n.external_id is null, n.named_at desc, n.id limit 1)`
}

const columns = 'id, external_id as "externalId", full_name as "fullName", url, tracked'
const newRepositoryId = () => `rep_${takeRandomBytes(16).toString('hex')}`

/**
 * Locks the repository of a number: everything else that happens to its deployments waits for the end of the transaction. It
 * is inserted when it is not known, takes over what pipelines reported under its name, and is renamed by what is newer.
 */
export async function lockHostRepository(
  tx: Tx,
  orgId: string,
  repository: CodehostRepository,
  at: Date,
): Promise<HostRepositoryRow> {
  const { externalId, fullName, defaultBranch, url } = repository
  const locked = await lockByNumber(tx, orgId, externalId)
  if (locked === undefined) {
    await tx.query({
      name: 'adopt-repository',
      text: `update repositories set external_id = $2
        where org_id = $1 and external_id is null and lower(full_name) = lower($3)
          and not exists (select from repositories r where r.org_id = $1 and r.external_id = $2)`,
      values: [orgId, externalId, fullName],
    })
    await tx.query({
      name: 'insert-host-repository',
      text: `insert into repositories (org_id, id, external_id, full_name, default_branch, url)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (org_id, external_id) where external_id is not null do nothing`,
      values: [orgId, newRepositoryId(), externalId, fullName, defaultBranch, url],
    })
  }
  const [named] = await tx.query<RepositoryRow>({
    name: 'name-repository',
    text: `update repositories set full_name = $3, default_branch = $4, url = $5, named_at = $6, removed_at = null
      where org_id = $1 and external_id = $2 and named_at < $6 returning ${columns}`,
    values: [orgId, externalId, fullName, defaultBranch, url, at],
  })
  const row = named ?? locked ?? (await lockByNumber(tx, orgId, externalId))
  if (row === undefined) throw new Error(`The repository ${externalId} was deleted meanwhile`)
  const isRenamed = locked !== undefined && locked.fullName !== row.fullName
  return { ...row, isRenamed }
}

async function lockByNumber(
  tx: Tx,
  orgId: string,
  externalId: string,
): Promise<RepositoryRow | undefined> {
  const [row] = await tx.query<RepositoryRow>({
    name: 'lock-host-repository',
    text: `select ${columns} from repositories where org_id = $1 and external_id = $2 for update`,
    values: [orgId, externalId],
  })
  return row
}

/**
 * Records repositories as the host lists them at a moment, by few statements: makes those that are not known, takes over
 * what pipelines reported under their names, and renames by what is newer.
 */
export async function nameRepositories(
  tx: Tx,
  orgId: string,
  { repositories, at }: { readonly repositories: readonly CodehostRepository[]; readonly at: Date },
): Promise<void> {
  const idsAndNames = [
    repositories.map(({ externalId }) => externalId),
    repositories.map(({ fullName }) => fullName),
  ]
  await tx.query({
    name: 'lock-listed-repositories',
    text: 'select from repositories where org_id = $1 and external_id = any ($2) order by id for update',
    values: [orgId, idsAndNames[0]],
  })
  await tx.query({
    name: 'adopt-listed-repositories',
    text: `update repositories o set external_id = l.external_id
      from unnest($2::text[], $3::text[]) as l (external_id, full_name)
      where o.org_id = $1 and o.external_id is null and lower(o.full_name) = lower(l.full_name)
        and not exists (select from repositories r where r.org_id = $1 and r.external_id = l.external_id)`,
    values: [orgId, ...idsAndNames],
  })
  await tx.query({
    name: 'name-listed-repositories',
    text: `insert into repositories as r (org_id, named_at, external_id, full_name, id, default_branch, url)
      select $1, $4, * from unnest($2::text[], $3::text[], $5::text[], $6::text[], $7::text[])
      on conflict (org_id, external_id) where external_id is not null do update set full_name = excluded.full_name,
        default_branch = excluded.default_branch, url = excluded.url, named_at = excluded.named_at, removed_at = null
      where r.named_at < excluded.named_at`,
    values: [
      orgId,
      ...idsAndNames,
      at,
      repositories.map(newRepositoryId),
      repositories.map(({ defaultBranch }) => defaultBranch),
      repositories.map(({ url }) => url),
    ],
  })
}

/** Locks a repository by our id. */
export async function lockRepository(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<RepositoryRow | undefined> {
  const [row] = await tx.query<RepositoryRow>({
    name: 'lock-repository',
    text: `select ${columns} from repositories where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return row
}

/** Names a repository as a pipeline does. */
export interface NamedRepository {
  readonly fullName: string
  /** The instance of the code host that is connected, as its ids begin; `undefined`: none is. */
  readonly instance: string | undefined
}

/**
 * Locks the repository of a name that a pipeline gives: the one of the code host, where there is one. A former code host may have had
 * one of the same name, which is another one.
 */
export async function lockNamedRepository(
  tx: Tx,
  orgId: string,
  named: NamedRepository,
): Promise<RepositoryRow> {
  const { fullName } = named
  const existing = await lockByName(tx, orgId, named)
  if (existing !== undefined) return existing
  await tx.query({
    name: 'insert-named-repository',
    text: `insert into repositories (org_id, id, full_name) values ($1, $2, $3)
      on conflict (org_id, lower(full_name)) where external_id is null do nothing`,
    values: [orgId, newRepositoryId(), fullName],
  })
  const made = await lockByName(tx, orgId, named)
  if (made === undefined) throw new Error(`The repository ${fullName} was renamed meanwhile`)
  return made
}

async function lockByName(
  tx: Tx,
  orgId: string,
  { fullName, instance }: NamedRepository,
): Promise<RepositoryRow | undefined> {
  const [row] = await tx.query<RepositoryRow>({
    name: 'lock-named-repository',
    text: `select ${columns} from repositories where org_id = $1 and lower(full_name) = lower($2)
        and ($3::text is null or external_id is null or coalesce(substring(external_id from '^(.*)/'), '') = $3)
      order by external_id is null, named_at desc, id limit 1 for update`,
    values: [orgId, fullName, instance ?? null],
  })
  return row
}

/** Locks the repository of a deployment, as everything does that changes deployments. */
export async function lockRepositoryOf(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<RepositoryRow | undefined> {
  const [row] = await tx.query<RepositoryRow>({
    name: 'lock-repository-of-deployment',
    text: `select ${columns} from repositories where org_id = $1 and id =
      (select repository_id from deployments where org_id = $1 and id = $2) for update`,
    values: [orgId, deploymentId],
  })
  return row
}

/** Finds the id of the next repository after one, whether the host or a pipeline named it. */
export async function findRepositoryAfter(
  tx: Tx,
  orgId: string,
  after: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-repository-after',
    text: 'select id from repositories where org_id = $1 and id > $2 order by id limit 1',
    values: [orgId, after],
  })
  return row?.id
}

/** Finds the id of the repository with a name, in whatever case. */
export async function findNamedRepositoryId(
  tx: Tx,
  orgId: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string | null }>({
    name: 'find-named-repository',
    text: `select ${repositoryNamed('$2')} as id`,
    values: [orgId, name],
  })
  return row?.id ?? undefined
}
