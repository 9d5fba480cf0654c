import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'

type Detail = ResponseOf<typeof deploymentEndpoints.getDeployment>

/** Describes the page of a deployment as the archive stores it: the answer of the API as of then. */
export type ArchivedPage = Omit<Detail, 'archivedAt'>

/** Names the fields that every stored page has. Fields that later releases add to the answer are in `addedSince`. */
type FirstFields =
  | 'id'
  | 'externalId'
  | 'repository'
  | 'sha'
  | 'ref'
  | 'refKind'
  | 'hostEnvironment'
  | 'environmentId'
  | 'state'
  | 'description'
  | 'creator'
  | 'url'
  | 'logUrl'
  | 'commitMessage'
  | 'relation'
  | 'issueKeys'
  | 'testState'
  | 'tests'
  | 'messageState'
  | 'committedAt'
  | 'createdAt'
  | 'startedAt'
  | 'finishedAt'
  | 'range'
  | 'commits'
  | 'issues'
  | 'testRuns'
  | 'messages'
  | 'previous'
  | 'older'
  | 'newer'
  | 'compareUrl'
  | 'codehostRepositoryId'
  | 'madeBy'
  | 'deployWorkflow'
  | 'canRunWorkflows'
  | 'configVersions'
  | 'timeline'

/** Maps each field that later releases have added to its type. */
type Added = { readonly [Field in Exclude<keyof ArchivedPage, FirstFields>]: ArchivedPage[Field] }

/** Holds what a page that was stored before a field existed has in it. A new field of the answer does not compile without it. */
const addedSince: Added = { isOfFormerHost: false, commitsUnread: null }

interface ArchivedPageRow {
  readonly page: Pick<ArchivedPage, FirstFields> & Partial<ArchivedPage>
  /** `null`: it belonged to none, or that one is gone. */
  readonly environmentId: string | null
  /** The deployment before it in the same repository and environment, which may be archived or not. */
  readonly older: ArchivedPage['older']
  readonly archivedAt: Date
}

/** Completes a stored page to the answer of today. */
export function readArchivedPage({
  page,
  environmentId,
  older,
  archivedAt,
}: ArchivedPageRow): Detail {
  return {
    ...addedSince,
    ...page,
    environmentId,
    older,
    archivedAt: archivedAt.toISOString(),
  }
}

/** Finds the page of an archived deployment. */
export async function findArchivedPage(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  id: string,
): Promise<Detail | undefined> {
  const [row] = await tx.query<ArchivedPageRow>({
    name: 'find-archived-deployment',
    text: `select coalesce(a.page, '{}') as page, a.archived_at as "archivedAt",
        (select e.id from environments e where e.org_id = $1 and e.id = a.environment_id) as "environmentId",
        (select json_build_object('id', o.id, 'sha', o.sha) from (
          (select o.at, o.id, o.change -> 'target' ->> 'sha' as sha from archive o
            where o.org_id = $1 and o.repository_id = a.repository_id and o.kind = 'deployment'
              and o.host_environment = a.host_environment and (o.at, o.id) < (a.at, a.id)
            order by o.at desc, o.id desc limit 1)
          union all
          (select d.created_at, d.id, d.sha from deployments d
            where d.org_id = $1 and d.repository_id = a.repository_id
              and d.host_environment = a.host_environment and (d.created_at, d.id) < (a.at, a.id)
            order by d.created_at desc, d.id desc limit 1)
          order by 1 desc, 2 desc limit 1) o) as older
      from archive a where a.org_id = $1 and a.id = $2 and a.kind = 'deployment' and a.page is not null`,
    values: [orgId, id],
  })
  return row && readArchivedPage(row)
}
