import type { DeploymentState } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import { commitMessageOf } from '../deployments/list-rows.ts'

/** Describes a hit of a search by its id and name. */
export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly detail: string | null
}

/** Describes something that a search has found by its name. The name of a segment, and the number of a request, is its id. */
export interface NamedHit extends SearchHit {
  readonly kind: 'environment' | 'schema' | 'segment' | 'request' | 'member'
}

/** Describes a deployment that a search has found. */
export interface DeploymentHit {
  readonly id: string
  readonly message: string | null
  readonly sha: string
  readonly ref: string
  readonly hostEnvironment: string
  readonly repository: string
  readonly state: DeploymentState
  readonly at: Date
}

const each = 8

/** Hexadecimal digits come before it. */
const afterHexadecimal = 'g'
/** Everything that a name may have comes before it. */
const afterAll = '\u{10FFFF}'

const deploymentColumns = `d.id, ${commitMessageOf('d')} as message, d.sha, d.ref,
  d.host_environment as "hostEnvironment", r.full_name as repository, d.state,
  coalesce(d.finished_at, d.started_at, d.created_at) as at`
const deploymentTables =
  'deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id'

/** Finds the newest deployments of commits that begin with some digits: as a range, which a prepared statement finds in the index. */
export async function findDeploymentsBySha(
  tx: Tx,
  orgId: string,
  sha: string,
): Promise<DeploymentHit[]> {
  return tx.query<DeploymentHit>({
    name: 'search-deployments-by-sha',
    text: `select ${deploymentColumns} from ${deploymentTables}
      where d.org_id = $1 and d.sha ~>=~ $2 and d.sha ~<~ $3 order by d.created_at desc, d.id desc limit ${each}`,
    values: [orgId, sha, sha + afterHexadecimal],
  })
}

const branchesMax = 5

/** Finds the newest deployment of each of some branches by the beginning of their names, from one branch to the next in the index. */
export async function findDeploymentsByBranch(
  tx: Tx,
  orgId: string,
  branch: string,
): Promise<DeploymentHit[]> {
  return tx.query<DeploymentHit>({
    name: 'search-deployments-by-branch',
    text: `with recursive branches (branch, position) as (
        (select branch, 1 from deployments where org_id = $1 and branch ~>=~ $2 and branch ~<~ $3
         order by branch using ~<~ limit 1)
        union all
        select (select branch from deployments where org_id = $1 and branch ~>~ b.branch and branch ~<~ $3
          order by branch using ~<~ limit 1), b.position + 1
        from branches b where b.branch is not null and b.position < ${branchesMax}
      )
      select f.* from branches b cross join lateral (
        select ${deploymentColumns} from ${deploymentTables}
        where d.org_id = $1 and d.branch = b.branch order by d.created_at desc, d.id desc limit 1) f
      where b.branch is not null`,
    values: [orgId, branch, branch + afterAll],
  })
}

/** Finds the newest deployments that name an issue. Ids grow with time, so they are the newest without a look at each. */
export async function findDeploymentsByIssue(
  tx: Tx,
  orgId: string,
  key: string,
): Promise<DeploymentHit[]> {
  return tx.query<DeploymentHit>({
    name: 'search-deployments-by-issue',
    text: `select f.* from (
        select deployment_id from deployment_issues where org_id = $1 and key = $2
        order by deployment_id desc limit ${each}) i
      cross join lateral (
        select ${deploymentColumns} from ${deploymentTables} where d.org_id = $1 and d.id = i.deployment_id) f`,
    values: [orgId, key],
  })
}

/** Finds environments, schemas, segments, change requests and members by a part of their names, and a request by its number. */
export async function findNamed(tx: Tx, orgId: string, text: string): Promise<NamedHit[]> {
  return tx.query<NamedHit>({
    name: 'search-names',
    text: `(select 'environment' as kind, id, name as title, nullif(description, '') as detail from environments
        where org_id = $1 and position($2 in lower(name)) > 0 order by name limit ${each})
      union all
      (select 'schema', id, name, nullif(description, '') from config_schemas
        where org_id = $1 and position($2 in lower(name)) > 0 order by name limit ${each})
      union all
      (select 'segment', name, name, nullif(description, '') from segments
        where org_id = $1 and position($2 in lower(name)) > 0 order by name limit ${each})
      union all
      (select 'request', number::text, title, 'Request ' || number from change_requests
        where org_id = $1 and (position($2 in lower(title)) > 0 or number::text = $2) order by number desc limit ${each})
      union all
      (select 'member', u.id, u.name, u.email from members m join users u on u.id = m.user_id
        where m.org_id = $1 and (position($2 in lower(u.name)) > 0 or position($2 in lower(u.email)) > 0)
        order by u.name limit ${each})`,
    values: [orgId, text.toLowerCase()],
  })
}

/** Describes a schema without its definition. */
export interface SchemaRevision {
  readonly id: string
  readonly name: string
  readonly revision: number
}

/** Lists the schemas of an organization, at most fifty. Their definitions, which are large, are not read. */
export async function listSchemaRevisions(tx: Tx, orgId: string): Promise<SchemaRevision[]> {
  return tx.query<SchemaRevision>({
    name: 'search-schema-revisions',
    text: 'select id, name, revision from config_schemas where org_id = $1 order by id',
    values: [orgId],
  })
}

/** Holds the keys of a schema at a revision. */
export interface KeyNameRow {
  readonly id: string
  readonly revision: number
  readonly keys: readonly (readonly [
    name: string,
    tier: string,
    owner: string | null,
    tags: readonly string[] | null,
  ])[]
}

/** Lists the names, tiers, owners and tags of the keys of some schemas: the costly half of a search for keys. */
export async function listKeyNames(
  tx: Tx,
  orgId: string,
  schemaIds: readonly string[],
): Promise<KeyNameRow[]> {
  return tx.query<KeyNameRow>({
    name: 'search-key-names',
    text: `select s.id, s.revision, coalesce((select json_agg(
          json_build_array(k.key, k.value ->> 'tier', k.value ->> 'owner', k.value -> 'tags'))
        from json_each(s.definition) k), '[]') as keys
      from config_schemas s where s.org_id = $1 and s.id = any($2::text[])`,
    values: [orgId, schemaIds],
  })
}
