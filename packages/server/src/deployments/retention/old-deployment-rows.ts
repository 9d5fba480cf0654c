import type { Tx } from '../../store/store.ts'

/** Describes a position in the deployments of an organization, oldest first. */
export interface OldPosition {
  /** As PostgreSQL writes it: a date of JavaScript would lose microseconds. */
  readonly createdAt: string
  readonly id: string
}

/** Holds the position before all deployments. */
export const firstPosition: OldPosition = { createdAt: '-infinity', id: '' }

/** Describes a deployment from before a moment. */
export interface OldDeployment extends OldPosition {
  /** False where people need it still, as far as deployments say. */
  readonly isDeletable: boolean
}

const ended = `('success', 'failure', 'error', 'inactive')`

/** Returns the condition for a deployment of which nothing has happened since the moment `$2`, and that is at its end. */
const isOver = (of: string) => `(${of}.created_at < $2 and ${of}.position_at < $2
  and case when ${of}.finished_at is null then true else ${of}.finished_at < $2 end
  and ${of}.reported_state in ${ended})`

/** Returns the condition for a deployment `a` at a later position of the chain of `b`. */
const isAfter = (
  a: string,
  b: string,
) => `${a}.org_id = $1 and ${a}.repository_id = ${b}.repository_id
  and ${a}.host_key = ${b}.host_key and ${a}.task = ${b}.task
  and (${a}.position_at, ${a}.external_id) > (${b}.position_at, ${b}.external_id)`

/** Returns the SQL of the next success in the chain. Ordered, so that PostgreSQL takes one step down the index of successes. */
const nextSuccess = (of: string) => `(select s.* from deployments s
  where s.succeeded_at is not null and ${isAfter('s', of)} order by s.position_at, s.external_id limit 1)`

/**
 * Lists the deployments of an organization from before a moment, oldest first, and says which of them nobody needs. It
 * keeps a deployment that has not ended, the newest success of each target, and the success that either of them, or a
 * younger deployment, is compared with. `n` is the next success, which ends the deployments that are compared with `d`,
 * and `m` the one after it.
 */
export async function pageOldDeployments(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  {
    before,
    after,
    limit,
  }: { readonly before: Date; readonly after: OldPosition; readonly limit: number },
): Promise<OldDeployment[]> {
  return tx.query<OldDeployment>({
    name: 'page-old-deployments',
    text: `with old as (
        select * from deployments d where d.org_id = $1 and d.created_at < $2
          and (d.created_at, d.id) > ($3::timestamptz, $4::text)
        order by d.created_at, d.id limit $5)
      select d.id, d.created_at::text as "createdAt", case
          when not ${isOver('d')} or d.state = 'success' then false
          when d.succeeded_at is null then true
          when m.id is null or not ${isOver('n')} then false
          else not exists (select from deployments r where ${isAfter('r', 'd')}
            and (r.position_at, r.external_id) < (n.position_at, n.external_id)
            and r.previous_successful_id = d.id and not ${isOver('r')})
        end as "isDeletable"
      from old d left join lateral ${nextSuccess('d')} n on d.succeeded_at is not null
        left join lateral ${nextSuccess('n')} m on n.id is not null
      order by d.created_at, d.id`,
    values: [orgId, before, after.createdAt, after.id, limit],
  })
}

/** Finds the first organization after another one that has a deployment. */
export async function findNextOrganization(
  tx: Pick<Tx, 'query'>,
  after: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly orgId: string }>({
    name: 'find-next-organization-of-deployments',
    text: 'select org_id as "orgId" from deployments where org_id > $1 order by org_id limit 1',
    values: [after],
  })
  return row?.orgId
}

/**
 * Locks deployments, and returns those that are locked and still over. A deployment that a report has locked is left
 * out until the next round, so that nobody waits.
 */
export async function lockOldDeployments(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { before, ids }: { readonly before: Date; readonly ids: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'lock-old-deployments',
    text: `select d.id from deployments d where d.org_id = $1 and d.id = any ($3) and ${isOver('d')} and d.state <> 'success'
      order by d.id for update skip locked`,
    values: [orgId, before, ids],
  })
  return rows.map(({ id }) => id)
}

/**
 * Deletes deployments. The foreign keys delete their issue keys, commits, statuses and test runs, which is faster than a statement for
 * each table, because they look there in any case.
 */
export async function deleteDeployments(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete-old-deployments',
    text: 'delete from deployments where org_id = $1 and id = any ($2)',
    values: [orgId, ids],
  })
}
