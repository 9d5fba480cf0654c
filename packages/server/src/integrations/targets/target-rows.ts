import type { Tx } from '../../store/store.ts'
import type { CountedTarget, SealedTarget } from './target.ts'

const columns = `t.id, t.name, t.schema_id as "schemaId", t.environment_id as "environmentId", t.provider, t.destination,
  t.address, t.address_data as "addressData", t.destination_name as "destinationName", t.url, t.tiers, t.keys, t.prefix,
  t.sealed_token as "sealedToken", t.state, t.demand, t.done,
  case when not node_has_ended(t.lease_holder) then t.lease_until end as "leaseUntil", t.fence, t.written_version as "writtenVersion", t.last_run_at as "lastRunAt", t.last_ok_at as "lastOkAt",
  t.health_reason as "healthReason", t.health_detail as "healthDetail", t.health_step as "healthStep",
  t.health_url as "healthUrl", t.failing_since as "failingSince", t.created_at as "createdAt", t.created_by as "createdBy", t.keeper_id as "keeperId"`

/** Inserts a target; throws the database's error where another target has its address. */
export async function insertTargetRow(tx: Tx, orgId: string, row: SealedTarget): Promise<void> {
  await tx.query({
    name: 'insert-target',
    text: `insert into targets (org_id, id, name, schema_id, environment_id, provider, destination, address, address_data,
        destination_name, url, tiers, keys, prefix, sealed_token, state, created_at, created_by, keeper_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    values: [
      orgId,
      row.id,
      row.name,
      row.schemaId,
      row.environmentId,
      row.provider,
      JSON.stringify(row.destination),
      row.address,
      JSON.stringify(row.addressData),
      row.destinationName,
      row.url,
      row.tiers,
      row.keys,
      row.prefix,
      row.sealedToken,
      row.state,
      row.createdAt,
      JSON.stringify(row.createdBy),
      row.keeperId,
    ],
  })
}

/** Counts the targets of an organization, and names the one that has a address. */
export async function findAddress(
  tx: Tx,
  orgId: string,
  address: string,
): Promise<{ readonly count: number; readonly name: string | null }> {
  const [row] = await tx.query<{ count: number; name: string | null }>({
    name: 'find-target-address',
    text: `select (select count(*)::integer from targets where org_id = $1) as count,
      (select name from targets where org_id = $1 and address = $2) as name`,
    values: [orgId, address],
  })
  return row ?? { count: 0, name: null }
}

/** Lists a page of targets, oldest first, or the one with an id. */
export async function pageTargetRows(
  tx: Tx,
  orgId: string,
  { after, limit, id }: { readonly after: string; readonly limit: number; readonly id?: string },
): Promise<CountedTarget[]> {
  return tx.query<CountedTarget>({
    name: 'page-targets',
    text: `select ${columns}, c.names from targets t
      cross join lateral (select count(*)::integer as names from target_names n
        where n.org_id = t.org_id and n.target_id = t.id) c
      where t.org_id = $1 and t.id > $2 and ($4::text is null or t.id = $4) order by t.id limit $3`,
    values: [orgId, after, limit, id ?? null],
  })
}

/** Locks a target for the rest of the transaction; `undefined` when there is none with this id. */
export async function lockTargetRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<SealedTarget | undefined> {
  const [row] = await tx.query<SealedTarget>({
    name: 'lock-target',
    text: `select ${columns} from targets t where t.org_id = $1 and t.id = $2 for update`,
    values: [orgId, id],
  })
  return row
}

/** Stores what a person changes of a target. `isWanted` counts a reason for a run. */
export async function updateTargetRow(
  tx: Tx,
  orgId: string,
  row: SealedTarget,
  { isWanted }: { readonly isWanted: boolean },
): Promise<void> {
  await tx.query({
    name: 'update-target',
    text: `update targets set name = $3, tiers = $4, keys = $5, prefix = $6, sealed_token = $7, state = $8,
        keeper_id = $10, demand = demand + $9 where org_id = $1 and id = $2`,
    values: [
      orgId,
      row.id,
      row.name,
      row.tiers,
      row.keys,
      row.prefix,
      row.sealedToken,
      row.state,
      isWanted ? 1 : 0,
      row.keeperId,
    ],
  })
}

/** Deletes a target with its ledger. */
export async function deleteTargetRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-target',
    text: 'delete from targets where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}

/**
 * Notes that jobs are added for targets that wait for a run, of every organization, and returns these. Those that another
 * node looks at are left to it.
 */
export async function takeWaitingTargets(
  tx: Tx,
  limit: number,
): Promise<{ readonly orgId: string; readonly id: string }[]> {
  return tx.query<{ orgId: string; id: string }>({
    name: 'take-waiting-targets',
    text: `update targets t set enqueued = t.demand
      from (select org_id, id from targets where demand > enqueued and state in ('active', 'deleting')
        order by id limit $1 for update skip locked) w
      where t.org_id = w.org_id and t.id = w.id
      returning t.org_id as "orgId", t.id`,
    values: [limit],
  })
}

/** Names a run's hold on a target. */
export interface Lease {
  readonly id: string
  readonly fence: number
}

/** Takes or renews the lease of a target. The caller has locked its row. */
export async function leaseTargetRow(
  tx: Tx,
  orgId: string,
  { id, fence, holder, until }: Lease & { readonly holder: string; readonly until: Date },
): Promise<void> {
  await tx.query({
    name: 'lease-target',
    text: `update targets set lease_holder = $4, lease_until = $5, fence = $3 where org_id = $1 and id = $2`,
    values: [orgId, id, fence, holder, until],
  })
}

/** Says how a run ended. */
export interface EndedRun extends Lease {
  readonly at: Date
  /** Holds the count that the run has seen; `null`: it did not come to its end. */
  readonly demand: number | null
  readonly version: number | null
  /** `null`: nothing is wrong. */
  readonly failure: {
    readonly reason: string
    readonly detail: string
    readonly nextStep: string
    readonly url: string | null
  } | null
}

/** Stores how a run ended, and ends its lease. Writes nothing for the holder of an older one. */
export async function endRunRow(tx: Tx, orgId: string, ended: EndedRun): Promise<void> {
  const { failure } = ended
  await tx.query({
    name: 'end-target-run',
    text: `update targets set lease_holder = null, lease_until = null, last_run_at = $4,
        done = coalesce($5::integer, done), written_version = coalesce($6::integer, written_version),
        health_reason = $7::text, health_detail = $8, health_step = $9, health_url = $10,
        failing_since = case when $7::text is null then null else coalesce(failing_since, $4) end,
        last_ok_at = case when $7::text is null then $4 else last_ok_at end
      where org_id = $1 and id = $2 and fence = $3`,
    values: [
      orgId,
      ended.id,
      ended.fence,
      ended.at,
      ended.demand,
      ended.version,
      failure?.reason ?? null,
      failure?.detail ?? null,
      failure?.nextStep ?? null,
      failure?.url ?? null,
    ],
  })
}

/** Counts a reason for a run, and notes that a job is added for it. */
export async function wantRunRow(
  tx: Tx,
  orgId: string,
  { id, state }: Pick<SealedTarget, 'id' | 'state'>,
): Promise<void> {
  await tx.query({
    name: 'want-target-run',
    text: `update targets set state = $3, demand = demand + 1, enqueued = demand + 1 where org_id = $1 and id = $2`,
    values: [orgId, id, state],
  })
}
