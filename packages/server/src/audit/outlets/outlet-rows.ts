import type { Tx } from '../../store/store.ts'
import { isOverSql } from '../../jobs/stored-pause.ts'
import type { ForwardedEvent, OutletName } from './outlet.ts'

/** Describes the right of this node to send through an outlet. */
export interface OutletLease {
  readonly fence: number
  /** Counts the failures in a row. */
  readonly attempts: number
}

/**
 * Takes the lease of an outlet, unless another node has it or the outlet waits after a failure. A lease that ends later than this one
 * comes from a clock that was ahead.
 */
export async function leaseOutlet(
  tx: Tx,
  outlet: OutletName,
  { holder, now, until }: { readonly holder: string; readonly now: Date; readonly until: Date },
): Promise<OutletLease | undefined> {
  const [row] = await tx.query<OutletLease>({
    name: 'lease-audit-outlet',
    text: `insert into audit_outlets as o (name, lease_until, lease_holder, fence) values ($1, $2, $3, 1)
      on conflict (name) do update set lease_until = $2, lease_holder = $3, fence = o.fence + 1
        where (o.lease_until is null or o.lease_until not between $4 and $2 or node_has_ended(o.lease_holder))
          and ${isOverSql('o.next_attempt_at', '$4')}
      returning fence::integer, attempts`,
    values: [outlet, until, holder, now],
  })
  return row
}

/** Describes a chain with events that have not left. */
export interface WaitingChain {
  readonly orgId: string
  /** Holds the sequence of the last event that has left. */
  readonly sequence: number
  readonly newestSequence: number
  readonly newestHash: Buffer
  /** Counts the rejections of its next event in a row. */
  readonly attempts: number
}

/** Lists chains with events that have not left, those first that were not sent of for the longest time. */
export async function listWaitingChains(
  tx: Tx,
  outlet: OutletName,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<WaitingChain[]> {
  return tx.query<WaitingChain>({
    name: 'list-waiting-audit-chains',
    text: `select h.org_id as "orgId", coalesce(p.sequence, 0)::integer as sequence, h.sequence::integer as "newestSequence",
        h.hash as "newestHash", coalesce(p.attempts, 0) as attempts
      from audit_chains h left join audit_positions p on p.outlet = $1 and p.org_id = h.org_id
      where h.sequence > coalesce(p.sequence, 0) and ${isOverSql('p.next_attempt_at', '$2')}
      order by p.moved_at nulls first, h.org_id limit $3`,
    values: [outlet, now, limit],
  })
}

/** Lists the events of a chain after `afterSequence` in their order, as they leave. */
export async function listForwardedEvents(
  tx: Tx,
  orgId: string,
  { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
): Promise<ForwardedEvent[]> {
  return tx.query<ForwardedEvent>({
    name: 'list-forwarded-events',
    text: `select sequence::integer, id, (extract(epoch from at) * 1000000)::bigint::text as micros, actor, action, target,
        detail, request_id as "requestId", ip, user_agent as "userAgent", previous_hash as "previousHash", hash
      from audit_events where org_id = $1 and sequence > $2 order by sequence limit $3`,
    values: [orgId, afterSequence, limit],
  })
}

/** Describes the chain of a batch that was sent, and who sent it. */
export interface SentFrom {
  readonly outlet: OutletName
  readonly fence: number
  readonly orgId: string
  readonly now: Date
}

/** Moves the position of a chain forward, and lengthens the lease. Returns false for a node that was overtaken. */
export async function movePosition(
  tx: Tx,
  { outlet, fence, orgId, now }: SentFrom,
  moved: { readonly sequence: number; readonly rejected: number; readonly leaseUntil: Date },
): Promise<boolean> {
  const { sequence, rejected, leaseUntil } = moved
  const rows = await tx.query({
    name: 'move-audit-position',
    text: `with o as (
        update audit_outlets set lease_until = $6, last_sent_at = $4, rejected = rejected + $7
        where name = $1 and fence = $2 returning name)
      insert into audit_positions as p (outlet, org_id, sequence, moved_at) select name, $3, $5, $4 from o
      on conflict (outlet, org_id) do update set sequence = $5, moved_at = $4, attempts = 0, next_attempt_at = null
      returning 1`,
    values: [outlet, fence, orgId, now, sequence, leaseUntil, rejected],
  })
  return rows.length > 0
}

/** Lets a chain wait whose next event the receiver refuses, while others go on. */
export async function holdChain(
  tx: Tx,
  { outlet, fence, orgId, now }: SentFrom,
  { attempts, nextAttemptAt }: { readonly attempts: number; readonly nextAttemptAt: Date },
): Promise<void> {
  await tx.query({
    name: 'hold-audit-chain',
    text: `insert into audit_positions as p (outlet, org_id, sequence, attempts, next_attempt_at, moved_at)
      select name, $3, 0, $4, $5, $6 from audit_outlets where name = $1 and fence = $2
      on conflict (outlet, org_id) do update set attempts = $4, next_attempt_at = $5, moved_at = $6`,
    values: [outlet, fence, orgId, attempts, nextAttemptAt, now],
  })
}

/** Describes how a batch of an outlet ended. */
export interface EndedBatch {
  readonly fence: number
  readonly now: Date
  /** `null`: everything was taken, or chains wait that were refused before. */
  readonly failure: {
    readonly reason: string
    readonly attempts: number
    readonly nextAttemptAt: Date | null
  } | null
}

/** Gives the lease back and stores how the batch ended. An outlet is well again when no chain of it is held. */
export async function endBatch(
  tx: Tx,
  outlet: OutletName,
  { fence, now, failure }: EndedBatch,
): Promise<void> {
  await tx.query({
    name: 'end-audit-round',
    text: `update audit_outlets o set lease_until = null, attempts = $4, next_attempt_at = $5,
        reason = case when $3::text is not null then $3 when h.is_held then o.reason end,
        failing_since = case when $3::text is not null or h.is_held then coalesce(o.failing_since, $6) end
      from (select exists (select from audit_positions where outlet = $1 and next_attempt_at is not null) as is_held) h
      where o.name = $1 and o.fence = $2`,
    values: [
      outlet,
      fence,
      failure?.reason ?? null,
      failure?.attempts ?? 0,
      failure?.nextAttemptAt ?? null,
      now,
    ],
  })
}

/** Describes an outlet for its operator. */
export interface OutletState {
  readonly name: string
  readonly reason: string | null
  readonly failingSince: Date | null
  readonly lastSentAt: Date | null
  readonly rejected: number
  /** Counts the events that have not left. */
  readonly waiting: number
  /** Holds the seconds since the oldest of them; null where there is none. */
  readonly lagSeconds: number | null
}

/** Lists the states of the outlets that ever sent. */
export async function listOutletStates(tx: Tx, now: Date): Promise<OutletState[]> {
  return tx.query<OutletState>({
    name: 'list-audit-outlet-states',
    text: `select o.name, o.reason, o.failing_since as "failingSince", o.last_sent_at as "lastSentAt",
        o.rejected::float8 as rejected, w.waiting, w.lag as "lagSeconds"
      from audit_outlets o cross join lateral (
        select coalesce(sum(h.sequence - coalesce(p.sequence, 0)), 0)::float8 as waiting,
          extract(epoch from $1 - min(e.at))::float8 as lag
        from audit_chains h left join audit_positions p on p.outlet = o.name and p.org_id = h.org_id
        left join audit_events e on e.org_id = h.org_id and e.sequence = coalesce(p.sequence, 0) + 1
        where h.sequence > coalesce(p.sequence, 0)) w
      order by o.name`,
    values: [now],
  })
}

/** Forgets the failures of outlets that the settings no longer name: nobody can mend them. Positions stay. */
export async function forgetFailures(tx: Tx, except: readonly OutletName[]): Promise<void> {
  await tx.query({
    name: 'forget-audit-outlet-failures',
    text: `update audit_outlets set reason = null, failing_since = null, attempts = 0, next_attempt_at = null
      where name <> all ($1) and failing_since is not null`,
    values: [except],
  })
}
