import type { Tx } from '../../store/store.ts'
import type { ProofView } from './notice-views.ts'

/**
 * Returns the SQL condition that a proof made a version, to take back the change before it in the same environment: the message of that
 * change says it. All versions of one write have the same moment.
 */
export const isOfProofSql = (
  v: string,
) => `exists (select from proofs f, jsonb_array_elements(f.restored) b join config_versions t on t.org_id = $1 and t.id = b ->> 'versionId'
  where f.org_id = $1 and f.schema_id = ${v}.schema_id and f.environment_id = ${v}.environment_id and f.version < ${v}.version
    and t.schema_id = ${v}.schema_id and t.created_at = ${v}.created_at)`

/** Lists how a version, or the versions of a change request, are watched. What they changed stands in no view. */
export async function listProofViews(
  tx: Tx,
  orgId: string,
  of: { readonly versionId?: string; readonly requestId?: string },
): Promise<ProofView[]> {
  return tx.query({
    name: 'notifications-proofs',
    text: `select e.name as environment, p.state, coalesce((p.terms -> 'minutes')::integer, 0) as minutes,
        array(select s.name from signals s where s.org_id = $1 and p.terms -> 'signals' ? s.id order by s.name) as signals,
        p.waits_for is not null as "isWaiting", p.reason ->> 'detail' as reason, p.not_restored ->> 'detail' as "notRestored",
        p.stopped -> 'member' ->> 'name' as "stoppedBy",
        (select coalesce(json_agg(json_build_object('environment', coalesce(o.name, ''), 'version', b -> 'version')), '[]')
          from jsonb_array_elements(coalesce(p.restored, '[]')) b
          left join environments o on o.org_id = $1 and o.id = b ->> 'environmentId') as restored
      from proofs p join environments e on e.org_id = $1 and e.id = p.environment_id
      where p.org_id = $1 and (p.version_id = $2 or p.version_id in
        (select version_id from change_request_versions where org_id = $1 and request_id = $3))
      order by lower(e.name), p.id limit 50`,
    values: [orgId, of.versionId ?? null, of.requestId ?? null],
  })
}

/** Finds whose message tells of a proof: the version that it watches, or the change request that made it. */
export async function findSubjectOfProof(
  tx: Tx,
  orgId: string,
  proofId: string,
): Promise<{ readonly type: 'configuration' | 'changeRequest'; readonly id: string } | undefined> {
  const [row] = await tx.query<{ readonly versionId: string; readonly requestId: string | null }>({
    name: 'notifications-subject-of-proof',
    text: `select p.version_id as "versionId", m.request_id as "requestId" from proofs p
      left join change_request_versions m on m.org_id = p.org_id and m.version_id = p.version_id
      where p.org_id = $1 and p.id = $2`,
    values: [orgId, proofId],
  })
  if (row === undefined) return undefined
  const { requestId, versionId } = row
  return requestId === null
    ? { type: 'configuration', id: versionId }
    : { type: 'changeRequest', id: requestId }
}

/**
 * Lists requests and proofs of every organization whose last day's end no message says. No job follows a restore of the database, which
 * ends some; and a chat that is connected after a change was taken back has heard nothing of it.
 */
export async function listUntoldEnds(
  tx: Tx,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<{ readonly orgId: string; readonly id: string }[]> {
  return tx.query({
    name: 'notifications-untold-ends',
    text: `select distinct r.org_id as "orgId", r.id from change_requests r
      join notifications n on n.org_id = r.org_id and n.subject_kind = 'change_request' and n.subject_id = r.id
      where r.state = 'failed' and r.updated_at > $1::timestamptz - interval '1 day' and n.updated_at < r.updated_at
      union all select p.org_id, p.id from proofs p
      join integrations i on i.org_id = p.org_id and i.kind = 'chat' and i.state <> 'disconnected'
      left join change_request_versions m on m.org_id = p.org_id and m.version_id = p.version_id
      where p.ended_at > $1::timestamptz - interval '1 day' and (p.state = 'failed' or exists (select from notifications n
          where n.org_id = p.org_id and n.subject_id = coalesce(m.request_id, p.version_id)))
        and not exists (select from notifications n where n.org_id = p.org_id
          and n.subject_id = coalesce(m.request_id, p.version_id) and n.updated_at >= p.ended_at)
      limit $2`,
    values: [now, limit],
  })
}
