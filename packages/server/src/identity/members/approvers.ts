import type { EnvironmentProtection } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'

/** Names an environment and who may approve its changes. */
export interface ApprovalsOf {
  readonly id: string
  readonly approvers: EnvironmentProtection['approvers']
}

/** Describes a member who may approve changes. */
export interface Approver {
  readonly userId: string
  readonly name: string
}

/** Selects each environment `e` of the parameter with the id of each member who may approve there. */
const approving = `from jsonb_to_recordset($2::jsonb) as e (id text, approvers jsonb)
  cross join lateral approvers_of($1, e.id, e.approvers) as m (user_id)`

/** Lists the members who may approve changes of each environment now, the oldest account first. */
export async function listApprovers(
  tx: Tx,
  orgId: string,
  environments: readonly ApprovalsOf[],
): Promise<ReadonlyMap<string, readonly Approver[]>> {
  if (environments.length === 0) return new Map()
  const rows = await tx.query<Approver & { environmentId: string }>({
    name: 'list-approvers',
    text: `select coalesce(e.id, '') as "environmentId", coalesce(m.user_id, '') as "userId", u.name ${approving}
      join users u on u.id = m.user_id order by m.user_id`,
    values: [orgId, toParameter(environments)],
  })
  return Map.groupBy(rows, ({ environmentId }) => environmentId)
}

/** Counts the members who may approve changes of each environment now. One without any is left out. */
export async function countApprovers(
  tx: Tx,
  orgId: string,
  environments: readonly ApprovalsOf[],
): Promise<ReadonlyMap<string, number>> {
  if (environments.length === 0) return new Map()
  const rows = await tx.query<{ environmentId: string; count: number }>({
    name: 'count-approvers',
    text: `select coalesce(e.id, '') as "environmentId", count(*) as count ${approving} group by e.id`,
    values: [orgId, toParameter(environments)],
  })
  return new Map(rows.map(({ environmentId, count }) => [environmentId, count]))
}

function toParameter(environments: readonly ApprovalsOf[]): string {
  return JSON.stringify(environments.map(({ id, approvers }) => ({ id, approvers })))
}

/** Returns those of `userIds` who are members. */
export async function findMemberIds(
  tx: Tx,
  orgId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await tx.query<{ userId: string }>({
    name: 'find-member-ids',
    text: 'select user_id as "userId" from members where org_id = $1 and user_id = any ($2::text[])',
    values: [orgId, userIds],
  })
  return new Set(rows.map(({ userId }) => userId))
}

/** Returns who has made each of the API keys among `ids`. A key keeps that after it has been revoked. */
export async function listKeyMakers(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const keyIds = ids.filter((id) => id.startsWith('key_'))
  if (keyIds.length === 0) return new Map()
  const rows = await tx.query<{ keyId: string; userId: string }>({
    name: 'list-key-makers',
    text: `select id as "keyId", coalesce(created_by ->> 'id', '') as "userId" from api_keys
      where org_id = $1 and id = any ($2::text[]) and created_by ->> 'id' is not null`,
    values: [orgId, keyIds],
  })
  return new Map(rows.map(({ keyId, userId }) => [keyId, [userId]]))
}
