import type { Tx } from '../store/store.ts'

/** Whose run it is and of which repository, for a pipeline that names both. For maintenance: it asks before it is known. */
export async function findUploadPlace(
  tx: Tx,
  orgRef: string,
  runId: string,
): Promise<{ readonly orgId: string; readonly repositoryExternalId: string | null } | undefined> {
  const [row] = await tx.query<{
    readonly orgId: string
    readonly repositoryExternalId: string | null
  }>({
    name: 'find-upload-place',
    text: `select t.org_id as "orgId", r.external_id as "repositoryExternalId" from test_runs t
      join repositories r on r.org_id = t.org_id and r.id = t.repository_id
      where t.id = $2 and t.org_id = (
        select id from organizations where (id = $1 or slug = $1) and deleted_at is null limit 1)`,
    values: [orgRef, runId],
  })
  return row
}
