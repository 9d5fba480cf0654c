import type { ProofState, ReadingOutcome } from '@signalbox/contract'
import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'
import type { Statement, Tx } from '../../store/store.ts'
import type { Reading } from '../signals/signal.ts'
import { watchedAloneMs, watchedGapMs, type ProofRow } from './proof.ts'

const columns = `id, schema_id as "schemaId", environment_id as "environmentId", version, version_id as "versionId",
  write_id as "writeId", origins, keys, reached, killed_keys as "killedKeys", terms, author_id as "authorId", state, fence,
  started_at as "startedAt", watched_at as "watchedAt", until, waits_for as "waitsFor", ended_at as "endedAt", reason,
  restored, not_restored as "notRestored", stopped`

/** Waits for whoever else changes proofs of the organization. It is the last lock before that of the audit log. */
const lockProofs = (orgId: string): Statement => ({
  name: 'lock-proofs',
  text: `select pg_advisory_xact_lock(hashtextextended('proofs ' || $1, 0))`,
  values: [orgId],
})

/**
 * Adds proofs, which wait for themselves until the commit: every such write of the organization wants the lock that comes then. From
 * then on earlier changes that are watched in the same environments wait for them.
 */
export async function addProofs(tx: Tx, orgId: string, proofs: readonly ProofRow[]): Promise<void> {
  for (const row of proofs) {
    await tx.query({
      name: 'insert-proof',
      text: `insert into proofs (org_id, id, schema_id, environment_id, version, version_id, write_id, origins, keys, reached,
        killed_keys, terms, author_id, state, started_at, watched_at, until, waits_for)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $2)`,
      values: [
        orgId,
        row.id,
        row.schemaId,
        row.environmentId,
        row.version,
        row.versionId,
        row.writeId,
        JSON.stringify(row.origins),
        row.keys,
        JSON.stringify(row.reached),
        row.killedKeys,
        JSON.stringify(row.terms),
        row.authorId,
        row.state,
        row.startedAt,
        row.watchedAt,
        row.until,
      ],
    })
  }
  const newest = new Map(proofs.map(({ environmentId, id }) => [environmentId, id]))
  const startedAt = proofs[0]?.startedAt
  tx.atCommit(lockProofs(orgId))
  tx.atCommit({
    name: 'suspend-proofs',
    text: `update proofs p set waits_for = n.id, watched_at = $4, until = p.until + case
        when $4 - p.watched_at > make_interval(secs => $5) then $4 - p.watched_at - make_interval(secs => $6)
        else interval '0' end
      from unnest($2::text[], $3::text[]) as n (environment_id, id)
      where p.org_id = $1 and p.environment_id = n.environment_id and p.state = 'watching' and p.waits_for is null`,
    values: [
      orgId,
      [...newest.keys()],
      [...newest.values()],
      startedAt,
      watchedGapMs / 1000,
      watchedAloneMs / 1000,
    ],
  })
  tx.atCommit({
    name: 'watch-organization',
    text: `insert into proof_watches (org_id, due_at) values ($1, $2) on conflict (org_id) do update set
      due_at = least(proof_watches.due_at, excluded.due_at), writes = proof_watches.writes + 1`,
    values: [orgId, startedAt],
  })
  tx.atCommit({
    name: 'begin-proofs',
    text: 'update proofs set waits_for = null where org_id = $1 and id = any ($2::text[])',
    values: [orgId, proofs.map(({ id }) => id)],
  })
}

/** Locks the proofs of an organization, and lists those that go on. A write that takes locks of its own takes them before. */
export async function lockWatching(tx: Tx, orgId: string): Promise<ProofRow[]> {
  await tx.query(lockProofs(orgId))
  return listWatching(tx, orgId)
}

/** Lists the proofs of an organization that go on. */
export async function listWatching(tx: Tx, orgId: string): Promise<ProofRow[]> {
  return tx.query<ProofRow>({
    name: 'list-watching-proofs',
    text: `select ${columns} from proofs where org_id = $1 and state = 'watching' order by id`,
    values: [orgId],
  })
}

/** Stores what changed of proofs. The caller holds their locks. */
export async function updateProofs(
  tx: Tx,
  orgId: string,
  proofs: readonly ProofRow[],
): Promise<void> {
  for (const row of proofs) {
    await tx.query({
      name: 'update-proof',
      text: `update proofs set state = $3, fence = $4, watched_at = $5, until = $6, waits_for = $7, ended_at = $8, reason = $9,
        restored = $10, restored_in = $11, not_restored = $12, stopped = $13 where org_id = $1 and id = $2`,
      values: [
        orgId,
        row.id,
        row.state,
        row.fence,
        row.watchedAt,
        row.until,
        row.waitsFor,
        row.endedAt,
        toJson(row.reason),
        toJson(row.restored),
        row.reason?.code === 'origin' ? [] : environmentsOf(row),
        toJson(row.notRestored),
        toJson(row.stopped),
      ],
    })
  }
}

/** Returns the environments whose hour a restore uses: those in which it was made, and the one of the proof. */
function environmentsOf({ environmentId, restored }: ProofRow): string[] {
  if (restored === null || restored.length === 0) return []
  return [...new Set([environmentId, ...restored.map((each) => each.environmentId)])]
}

function toJson(value: object | null): string | null {
  return value && JSON.stringify(value)
}

/** Returns whether a proof has taken something back in one of the environments since a moment. */
export async function isRestoredSince(
  tx: Tx,
  orgId: string,
  { environmentIds, since }: { readonly environmentIds: readonly string[]; readonly since: Date },
): Promise<boolean> {
  const [row] = await tx.query<{ isRestored: boolean }>({
    name: 'find-restoring-proof',
    text: `select exists (select from proofs where org_id = $1 and restored_in && $2::text[] and restored_in <> '{}'
      and ended_at > $3) as "isRestored"`,
    values: [orgId, environmentIds, since],
  })
  return row?.isRestored === true
}

/** Finds a proof by its id. */
export async function findProofRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<ProofRow | undefined> {
  const [row] = await tx.query<ProofRow>({
    name: 'find-proof',
    text: `select ${columns} from proofs where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Narrows a list of proofs. `null`: any. */
export interface ProofFilter {
  readonly state: ProofState | null
  readonly environmentId: string | null
  readonly schemaId: string | null
  readonly versionId: string | null
  /** Lists the environments and schemas that the caller may know of. */
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
}

/** Lists a page of proofs below an id, newest first. */
export async function pageProofRows(
  tx: Tx,
  orgId: string,
  filter: ProofFilter & { readonly below: string | null; readonly limit: number },
): Promise<ProofRow[]> {
  return tx.query<ProofRow>({
    name: '',
    text: `select ${columns} from proofs where org_id = $1
      and ($2::text is null or state = $2) and ($3::text is null or environment_id = $3)
      and ($4::text is null or schema_id = $4) and ($5::text is null or version_id = $5)
      and ($6::text[] is null or environment_id = any ($6)) and ($7::text[] is null or schema_id = any ($7))
      and ($8::text is null or id < $8)
      order by id desc limit $9`,
    values: [
      orgId,
      filter.state,
      filter.environmentId,
      filter.schemaId,
      filter.versionId,
      filter.environmentIds,
      filter.schemaIds,
      filter.below,
      filter.limit,
    ],
  })
}

/** Describes a reading of one signal for one proof. */
export interface ReadingRow extends Reading {
  readonly proofId: string
  readonly signalId: string
  readonly fence: number
  readonly at: Date
}

/** Adds what signals said. One that is there already stays as it is. */
export async function insertReadings(
  tx: Tx,
  orgId: string,
  readings: readonly ReadingRow[],
): Promise<void> {
  if (readings.length === 0) return
  await tx.query({
    name: 'insert-readings',
    text: `insert into proof_readings (org_id, proof_id, signal_id, at, fence, verdict, value, detail)
      select $1, * from unnest($2::text[], $3::text[], $4::timestamptz[], $5::integer[], $6::text[], $7::double precision[],
        $8::text[]) on conflict do nothing`,
    values: [
      orgId,
      readings.map(({ proofId }) => proofId),
      readings.map(({ signalId }) => signalId),
      readings.map(({ at }) => at),
      readings.map(({ fence }) => fence),
      readings.map(({ verdict }) => verdict),
      readings.map(({ value }) => value),
      readings.map(({ detail }) => detail),
    ],
  })
}

/** Sums up the readings of one signal for one proof, since the proof began to be watched. */
export interface TallyRow {
  readonly proofId: string
  readonly signalId: string
  readonly good: number
  readonly bad: number
  readonly none: number
  /** Lists the last twenty, newest first. */
  readonly latest: readonly { readonly verdict: ReadingOutcome; readonly detail: string | null }[]
}

/** Sums up the readings of proofs. */
export async function tallyReadings(
  tx: Tx,
  orgId: string,
  proofIds: readonly string[],
): Promise<TallyRow[]> {
  return tx.query<TallyRow>({
    name: 'tally-readings',
    text: `select r.proof_id as "proofId", r.signal_id as "signalId",
        count(*) filter (where verdict = 'good')::integer as good, count(*) filter (where verdict = 'bad')::integer as bad,
        count(*) filter (where verdict = 'none')::integer as none,
        coalesce(json_agg(json_build_object('verdict', verdict, 'detail', detail) order by number desc)
          filter (where position <= 20), '[]') as latest
      from (select r.*, row_number() over (partition by r.proof_id, r.signal_id order by r.number desc) as position
        from proof_readings r join proofs p on p.org_id = r.org_id and p.id = r.proof_id and p.fence = r.fence
        where r.org_id = $1 and r.proof_id = any ($2)) r
      group by 1, 2`,
    values: [orgId, proofIds],
  })
}

/** Lists the newest readings of a proof, oldest first. */
export async function listReadings(
  tx: Tx,
  orgId: string,
  { proofId, limit }: { readonly proofId: string; readonly limit: number },
): Promise<ReadingRow[]> {
  return tx.query<ReadingRow>({
    name: 'list-readings',
    text: `select * from (select proof_id as "proofId", signal_id as "signalId", fence, at, verdict, value, detail
      from proof_readings where org_id = $1 and proof_id = $2 order by at desc limit $3) r order by at`,
    values: [orgId, proofId, limit],
  })
}

/** Names an organization whose signals are due, and how many writes had begun proofs in it by then. */
export interface DueWatch {
  readonly orgId: string
  readonly writes: number
}

/** Takes organizations whose signals are due, so that no other node reads them until `nextAt`. */
export async function takeDue(
  tx: Tx,
  { now, nextAt, limit }: { readonly now: Date; readonly nextAt: Date; readonly limit: number },
): Promise<DueWatch[]> {
  return tx.query<DueWatch>({
    name: 'take-due-proofs',
    text: `update proof_watches set due_at = $2 where org_id in
      (select org_id from proof_watches where due_at <= $1 order by due_at limit $3 for update skip locked)
      returning org_id as "orgId", writes`,
    values: [now, nextAt, limit],
  })
}

/** Sets when the signals of an organization are read next. `null`: never, unless a write has begun another proof since. */
export async function noteRead(
  tx: Tx,
  { orgId, writes }: DueWatch,
  nextAt: Date | null,
): Promise<void> {
  await tx.query({
    name: nextAt === null ? 'end-proof-watch' : 'note-proofs-read',
    text:
      nextAt === null
        ? 'delete from proof_watches where org_id = $1 and writes = $2'
        : 'update proof_watches set due_at = $2 where org_id = $1',
    values: [orgId, nextAt ?? writes],
  })
}

/** Forgets proofs that ended long ago, with their readings. */
export const proofRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-proofs',
      text: forgetSql('proofs', 'ended_at < $1'),
      values: [before, limit],
    }),
}
