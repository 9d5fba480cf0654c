import type { Tx } from '../../store/store.ts'

/** Describes what is recorded of a host environment, with its preview where it has one. */
export interface CandidateRow {
  readonly hostEnvironment: string
  readonly removedAt: Date | null
  readonly sha: string | null
  readonly branch: string | null
  readonly deploymentState: string | null
  readonly deployedAt: Date | null
  readonly changedAt: Date | null
}

/**
 * Lists the host environments of a repository that deployments or previews name, each with its newest deployment. An environment that
 * is mapped to none is none.
 */
export async function listCandidateRows(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<CandidateRow[]> {
  return tx.query<CandidateRow>({
    name: 'list-preview-candidates',
    text: `select coalesce(p.host_environment, h.name, '') as "hostEnvironment", h.removed_at as "removedAt", d.sha, d.branch,
        d.reported_state as "deploymentState", d.created_at as "deployedAt",
        greatest(d.created_at, (select max(s.at) from deployment_statuses s
          where s.org_id = $1 and s.deployment_id = d.id)) as "changedAt"
      from (select name_key from host_environments where org_id = $1 and repository_id = $2 and not ignored
        union select name_key from previews where org_id = $1 and repository_id = $2) n
      left join host_environments h on h.org_id = $1 and h.repository_id = $2 and h.name_key = n.name_key
      left join previews p on p.org_id = $1 and p.repository_id = $2 and p.name_key = n.name_key
      left join lateral (select id, sha, branch, reported_state, created_at from deployments
        where org_id = $1 and repository_id = $2 and host_key = n.name_key
        order by created_at desc, external_id desc limit 1) d on true
      order by n.name_key`,
    values: [orgId, repositoryId],
  })
}

/** Describes a pull request that a preview may be of. */
export interface ProposedRow {
  readonly number: number
  readonly state: 'open' | 'merged' | 'closed'
  readonly isFork: boolean
  readonly headSha: string
  readonly headRef: string
  readonly updatedAt: Date
}

/** Lists the pull requests of a repository with these numbers, commits or branches; open ones and the newest first. */
export async function listProposedRows(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly numbers: readonly number[]
    readonly shas: readonly string[]
    readonly branches: readonly string[]
  },
): Promise<ProposedRow[]> {
  return tx.query<ProposedRow>({
    name: 'list-pull-requests-of-previews',
    text: `select number, state, is_fork as "isFork", head_sha as "headSha", head_ref as "headRef", host_updated_at as "updatedAt"
      from pull_requests where org_id = $1 and repository_id = $2
        and (number = any ($3::integer[]) or head_sha = any ($4::text[]) or head_ref = any ($5::text[]))
      order by (state = 'open') desc, number desc`,
    values: [orgId, of.repositoryId, of.numbers, of.shas, of.branches],
  })
}

/** Names a repository of an organization. */
export interface FollowedRepository {
  readonly orgId: string
  readonly repositoryId: string
}

/** Lists repositories after one that have previews, or host environments in an organization that has rules of previews. */
export async function pageFollowedRepositories(
  tx: Pick<Tx, 'query'>,
  after: FollowedRepository,
  limit: number,
): Promise<FollowedRepository[]> {
  return tx.query<FollowedRepository>({
    name: 'page-repositories-of-previews',
    text: `select r.org_id as "orgId", r.id as "repositoryId" from repositories r
      where (r.org_id, r.id) > ($1, $2) and (
        exists (select from previews p where p.org_id = r.org_id and p.repository_id = r.id and p.state <> 'deleted')
        or exists (select from preview_rules u where u.org_id = r.org_id)
          and exists (select from host_environments h where h.org_id = r.org_id and h.repository_id = r.id))
      order by r.org_id, r.id limit $3`,
    values: [after.orgId, after.repositoryId, limit],
  })
}

/** Describes a repository as previews name it. */
export interface NamedRepository {
  readonly fullName: string
  readonly externalId: string | null
}

/** Finds a repository by its id. */
export async function findPreviewRepository(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<NamedRepository | undefined> {
  const [row] = await tx.query<NamedRepository>({
    name: 'find-repository-of-previews',
    text: `select full_name as "fullName", external_id as "externalId" from repositories where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Returns our id of the repository that a deployment is of; `undefined`: the deployment is gone. */
export async function findRepositoryOfDeployment(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly repositoryId: string }>({
    name: 'find-repository-of-deployment',
    text: `select repository_id as "repositoryId" from deployments where org_id = $1 and id = $2`,
    values: [orgId, deploymentId],
  })
  return row?.repositoryId
}
