import type { Tx } from '../../store/store.ts'
import type { RecordedDeployment } from './deployment-rows.ts'
import type { ChainPiece, LinkedDeployment } from './link-deployments.ts'

/** Describes a position in the chain of a repository, host environment and task. */
export type ChainPosition = Pick<
  RecordedDeployment,
  'repositoryId' | 'hostEnvironment' | 'task' | 'positionAt' | 'externalId'
>

interface PieceRow extends LinkedDeployment {
  readonly part: 'former' | 'inner' | 'next'
}

const columns = `d.id, d.sha, d.succeeded_at is not null as "hasSucceeded",
  case d.reported_state when 'inactive' then 'superseded' else d.reported_state end as "ownState", d.state,
  d.previous_successful_id as "previousSuccessfulId", d.superseded_by as "supersededBy", d.relation,
  d.position_at, d.external_id`
const inChain = `d.org_id = $1 and d.repository_id = $2 and d.host_key = lower($3) and d.task = $4`

/**
 * Reads the neighbours of a position: from the success before it to the success after it. Example: success A before the position,
 * and failed B, success C, failed D at and after it. The piece is A, B and C, because D's base does not change.
 */
export async function readChainPiece(
  tx: Tx,
  orgId: string,
  { repositoryId, hostEnvironment, task, positionAt, externalId }: ChainPosition,
): Promise<ChainPiece> {
  const rows = await tx.query<PieceRow>({
    name: 'read-chain-piece',
    text: `with former as (
        select ${columns}, 'former' as part from deployments d
        where ${inChain} and d.succeeded_at is not null and (d.position_at, d.external_id) < ($5, $6)
        order by d.position_at desc, d.external_id desc limit 1),
      next as (
        select ${columns}, 'next' as part from deployments d
        where ${inChain} and d.succeeded_at is not null and (d.position_at, d.external_id) > ($5, $6)
        order by d.position_at, d.external_id limit 1),
      inside as (
        select ${columns}, 'inner' as part from deployments d
        where ${inChain} and (d.position_at, d.external_id) >= ($5, $6)
          and (d.position_at, d.external_id) <
            (coalesce((select position_at from next), 'infinity'), coalesce((select external_id from next), '')))
      select id, sha, "hasSucceeded", "ownState", state, "previousSuccessfulId", "supersededBy", relation, part from (
        select * from former union all select * from inside union all select * from next) piece
      order by position_at, external_id`,
    values: [orgId, repositoryId, hostEnvironment, task, positionAt, externalId],
  })
  const former = rows.find(({ part }) => part === 'former')
  return {
    former,
    inner: rows.filter(({ part }) => part === 'inner'),
    next: rows.find(({ part }) => part === 'next'),
    goneBases: former === undefined ? await listGoneBases(tx, orgId, rows) : new Set(),
  }
}

/** Lists the bases of deployments that were deleted because of their age. */
async function listGoneBases(
  tx: Tx,
  orgId: string,
  deployments: readonly LinkedDeployment[],
): Promise<ReadonlySet<string>> {
  const own = new Set(deployments.map(({ id }) => id))
  const bases = new Set(deployments.flatMap(({ previousSuccessfulId: id }) => id ?? []))
  const absent = [...bases].filter((id) => !own.has(id))
  if (absent.length === 0) return new Set()
  const rows = await tx.query<{ readonly id: string | null }>({
    name: 'list-gone-bases',
    text: `select b.id from unnest($2::text[]) as b (id)
      where not exists (select from deployments d where d.org_id = $1 and d.id = b.id)`,
    values: [orgId, absent],
  })
  return new Set(rows.flatMap(({ id }) => id ?? []))
}

/** Writes links in one statement. A range that was compared with another base is dropped. */
export async function writeLinks(
  tx: Tx,
  orgId: string,
  links: readonly LinkedDeployment[],
): Promise<void> {
  await tx.query({
    name: 'write-deployment-links',
    text: `update deployments d set state = l.state, superseded_by = l.superseded_by, relation = l.relation,
        previous_successful_id = l.previous,
        range = case when d.previous_successful_id is not distinct from l.previous then d.range end,
        revision = d.revision + 1
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        as l (id, state, superseded_by, relation, previous)
      where d.org_id = $1 and d.id = l.id`,
    values: [
      orgId,
      links.map(({ id }) => id),
      links.map(({ state }) => state),
      links.map(({ supersededBy }) => supersededBy),
      links.map(({ relation }) => relation),
      links.map(({ previousSuccessfulId }) => previousSuccessfulId),
    ],
  })
}
