import type { Tx } from '../../store/store.ts'
import type { RequestRow, ReviewRow, RevisionRow } from './request.ts'

const columns = `id, number, title, reason, state, kind, revision, version, author, author_id as "authorId",
  environment_ids as "environmentIds", apply_at as "applyAt", fence, conflict, failure, applied_versions as "appliedVersions",
  overridden, acknowledged_by as "acknowledgedBy", created_at as "createdAt", updated_at as "updatedAt",
  expires_at as "expiresAt"`

/** Finds a request by its id or its number, and with `lock` holds it until the transaction ends. */
export async function findRequestRow(
  tx: Tx,
  orgId: string,
  { ref, lock = false }: { readonly ref: string; readonly lock?: boolean },
): Promise<RequestRow | undefined> {
  const number = /^[1-9]\d{0,8}$/.test(ref) ? Number(ref) : null
  const [row] = await tx.query<RequestRow>({
    name: lock ? 'lock-change-request' : 'find-change-request',
    text: `select ${columns} from change_requests
      where org_id = $1 and (id = $2 or number = $3) ${lock ? 'for update' : ''}`,
    values: [orgId, ref, number],
  })
  return row
}

/** Lists requests by their ids. */
export async function listRequestRows(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'list-change-requests',
    text: `select ${columns} from change_requests where org_id = $1 and id = any ($2)`,
    values: [orgId, ids],
  })
}

/** Lists the requests that wait, newest first. There are at most `limits.changeRequestsWaiting`. */
export async function listWaitingRows(tx: Tx, orgId: string): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'list-waiting-change-requests',
    text: `select ${columns} from change_requests where org_id = $1 and state = 'waiting' order by number desc`,
    values: [orgId],
  })
}

/** Lists the requests that were applied without their approvals, and that nobody else has acknowledged. */
export async function listUnseenRows(tx: Tx, orgId: string): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'list-unseen-change-requests',
    text: `select ${columns} from change_requests
      where org_id = $1 and overridden is not null and acknowledged_by is null order by number desc limit 50`,
    values: [orgId],
  })
}

/** Says which requests a page lists. */
export interface ListRequests {
  /** A number. `undefined`: from the newest on. */
  readonly before: number | undefined
  readonly limit: number
  readonly state: RequestRow['state'] | undefined
  readonly environmentId: string | undefined
  readonly authorId: string | undefined
}

/** Lists requests, newest first. */
export async function pageRequestRows(
  tx: Tx,
  orgId: string,
  { before, limit, state, environmentId, authorId }: ListRequests,
): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: '',
    text: `select ${columns} from change_requests where org_id = $1 and ($2::integer is null or number < $2)
      and ($3::text is null or state = $3) and ($4::text is null or $4 = any (environment_ids))
      and ($5::text is null or author_id = $5) order by number desc limit $6`,
    values: [orgId, before ?? null, state ?? null, environmentId ?? null, authorId ?? null, limit],
  })
}

/** Describes what is stored of a request with each of its revisions. */
export type WrittenRequest = Pick<
  RequestRow,
  'id' | 'title' | 'reason' | 'kind' | 'environmentIds' | 'applyAt' | 'expiresAt'
> & { readonly now: Date }

/** Inserts a request, and returns its number. The caller holds the lock of the organization's structure. */
export async function insertRequestRow(
  tx: Tx,
  orgId: string,
  row: WrittenRequest & Pick<RequestRow, 'author' | 'authorId'>,
): Promise<void> {
  await tx.query({
    name: 'insert-change-request',
    text: `insert into change_requests (org_id, id, number, title, reason, state, kind, revision, version, author, author_id,
        environment_ids, apply_at, created_at, updated_at, expires_at)
      values ($1, $2, (select coalesce(max(number), 0) + 1 from change_requests where org_id = $1), $3, $4, 'waiting', $5, 1, 1,
        $6, $7, $8, $9, $10, $10, $11)`,
    values: [
      orgId,
      row.id,
      row.title,
      row.reason,
      row.kind,
      JSON.stringify(row.author),
      row.authorId,
      row.environmentIds,
      row.applyAt,
      row.now,
      row.expiresAt,
    ],
  })
}

/** Updates a request to a new revision, which has no conflict. */
export async function reviseRequestRow(tx: Tx, orgId: string, row: WrittenRequest): Promise<void> {
  await tx.query({
    name: 'revise-change-request',
    text: `update change_requests set title = $3, reason = $4, kind = $5, environment_ids = $6, apply_at = $7, updated_at = $8,
        expires_at = $9, conflict = null, revision = revision + 1, version = version + 1, fence = fence + 1
      where org_id = $1 and id = $2`,
    values: [
      orgId,
      row.id,
      row.title,
      row.reason,
      row.kind,
      row.environmentIds,
      row.applyAt,
      row.now,
      row.expiresAt,
    ],
  })
}

/** Inserts a revision of a request. */
export async function insertRevisionRow(
  tx: Tx,
  orgId: string,
  row: RevisionRow & {
    readonly requestId: string
    readonly sealed: Buffer
    readonly authorId: string | null
    readonly now: Date
  },
): Promise<void> {
  await tx.query({
    name: 'insert-change-request-revision',
    text: `insert into change_request_revisions (org_id, request_id, revision, operation, omitted, sealed, effects, author_id,
        created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      orgId,
      row.requestId,
      row.revision,
      JSON.stringify(row.operation),
      row.omitted,
      row.sealed,
      JSON.stringify(row.effects),
      row.authorId,
      row.now,
    ],
  })
}

/** Lists the newest revision of requests. */
export async function listRevisionRows(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<(RevisionRow & { readonly requestId: string })[]> {
  return tx.query<RevisionRow & { readonly requestId: string }>({
    name: 'list-change-request-revisions',
    text: `select distinct on (request_id) request_id as "requestId", revision, operation, omitted, effects
      from change_request_revisions where org_id = $1 and request_id = any ($2) order by request_id, revision desc`,
    values: [orgId, ids],
  })
}

/** Lists what is sealed of the newest revision of requests. One that has ended has nothing. */
export async function listSealedRows(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<{ requestId: string; revision: number; sealed: Buffer | null }[]> {
  return tx.query({
    name: 'list-sealed-change-requests',
    text: `select distinct on (request_id) request_id as "requestId", revision, sealed
      from change_request_revisions where org_id = $1 and request_id = any ($2) order by request_id, revision desc`,
    values: [orgId, ids],
  })
}

/** Lists who has written revisions of requests. */
export async function listRevisionAuthors(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<{ readonly requestId: string; readonly authorIds: string[] }[]> {
  return tx.query({
    name: 'list-change-request-authors',
    text: `select request_id as "requestId", coalesce(array_agg(distinct author_id) filter (where author_id is not null), '{}') as "authorIds"
      from change_request_revisions where org_id = $1 and request_id = any ($2) group by request_id`,
    values: [orgId, ids],
  })
}

/** Lists the reviews of requests in their order. */
export async function listReviewRows(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<(ReviewRow & { readonly requestId: string })[]> {
  return tx.query<ReviewRow & { readonly requestId: string }>({
    name: 'list-change-request-reviews',
    text: `select request_id as "requestId", user_id as "userId", name, verdict, text, revision, created_at as "createdAt"
      from change_request_reviews where org_id = $1 and request_id = any ($2) order by request_id, position`,
    values: [orgId, ids],
  })
}

/** Inserts a review. The caller holds the request. */
export async function insertReviewRow(
  tx: Tx,
  orgId: string,
  row: ReviewRow & { readonly requestId: string },
): Promise<void> {
  await tx.query({
    name: 'insert-change-request-review',
    text: `insert into change_request_reviews (org_id, request_id, position, revision, user_id, name, verdict, text, created_at)
      select $1, $2, count(*) + 1, $3, $4, $5, $6, $7, $8 from change_request_reviews where org_id = $1 and request_id = $2`,
    values: [
      orgId,
      row.requestId,
      row.revision,
      row.userId,
      row.name,
      row.verdict,
      row.text,
      row.createdAt,
    ],
  })
}

/** Describes what becomes of a request. What is left out stays. */
export interface MoveRequest extends Partial<
  Pick<
    RequestRow,
    | 'state'
    | 'applyAt'
    | 'conflict'
    | 'failure'
    | 'appliedVersions'
    | 'overridden'
    | 'acknowledgedBy'
  >
> {
  readonly id: string
  readonly now: Date
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** Moves a request on. One that ends loses what was sealed of it. */
export async function moveRequestRow(tx: Tx, orgId: string, move: MoveRequest): Promise<void> {
  await tx.query({
    name: 'move-change-request',
    text: `update change_requests set state = coalesce($3, state), apply_at = case when $4 then $5::timestamptz else apply_at end,
        conflict = coalesce($6::jsonb, conflict), failure = coalesce($7::jsonb, failure),
        applied_versions = coalesce($8::jsonb, applied_versions), overridden = coalesce($9::jsonb, overridden),
        acknowledged_by = coalesce($10::jsonb, acknowledged_by), updated_at = $11, version = version + 1,
        expires_at = case when $4 then greatest(expires_at, $5::timestamptz + interval '1 day') else expires_at end,
        fence = fence + case when $4 then 1 else 0 end
      where org_id = $1 and id = $2`,
    values: [
      orgId,
      move.id,
      move.state ?? null,
      'applyAt' in move,
      move.applyAt ?? null,
      json(move.conflict),
      json(move.failure),
      json(move.appliedVersions),
      json(move.overridden),
      json(move.acknowledgedBy),
      move.now,
    ],
  })
  if (move.state === undefined || move.state === 'waiting') return
  await tx.query({
    name: 'forget-sealed-change-request',
    text: `update change_request_revisions set sealed = null where org_id = $1 and request_id = $2`,
    values: [orgId, move.id],
  })
}

/** Lists requests of every organization whose time is over, oldest first. */
export async function listExpiredRows(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ readonly orgId: string; readonly id: string }[]> {
  return tx.query({
    name: 'list-expired-change-requests',
    text: `select org_id as "orgId", id from change_requests where state = 'waiting' and expires_at <= $1
      order by expires_at limit $2`,
    values: [now, limit],
  })
}

const isHidden = `e ->> 'schemaId' = $2 and e ->> 'key' = any ($3::text[])`

/** An operation may also hold what the key has already, which is no effect. */
const isNamed = `strpos(v.operation::text, $2) > 0
    and exists (select from unnest($3::text[]) k where strpos(v.operation::text, to_jsonb(k)::text) > 0)`

/** Returns an expression of a side of an effect that shows nothing of it. */
function hide(side: 'before' | 'after'): string {
  return `case jsonb_typeof(e -> '${side}') when 'object' then '{"mark":""}'::jsonb else 'null'::jsonb end`
}

/** Hides what requests show of keys that have become secrets, and what they were to become. */
export async function hideRequestedValues(
  tx: Tx,
  { orgId, schemaId }: { readonly orgId: string; readonly schemaId: string },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.query({
    name: 'hide-requested-values',
    text: `update change_request_revisions v set operation = jsonb_build_object('kind', v.operation -> 'kind'),
        effects = (select jsonb_agg(case when ${isHidden}
          then e || jsonb_build_object('before', ${hide('before')}, 'after', ${hide('after')}) else e end order by position)
          from jsonb_array_elements(v.effects) with ordinality t (e, position))
      where v.org_id = $1 and (exists (select from jsonb_array_elements(v.effects) e where ${isHidden}) or ${isNamed})`,
    values: [orgId, schemaId, keys],
  })
  await tx.query({
    name: 'hide-conflicting-values',
    text: `update change_requests r set conflict = '[]'
      where r.org_id = $1 and exists (select from jsonb_array_elements(r.conflict) e where ${isHidden})`,
    values: [orgId, schemaId, keys],
  })
}
