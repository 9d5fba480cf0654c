import type { Tx } from '../store/store.ts'
import type { PreviewRuleRow } from './preview-rule.ts'

/** Lists the rules of an organization, oldest first. */
export async function listRuleRows(tx: Tx, orgId: string): Promise<PreviewRuleRow[]> {
  return tx.query<PreviewRuleRow>({
    name: 'list-preview-rules',
    text: `select id, pattern, repositories, parent_id as "parentId", secrets, expires_days as "expiresDays", max, revision,
        created_at as "createdAt", updated_at as "updatedAt"
      from preview_rules where org_id = $1 order by id`,
    values: [orgId],
  })
}

/** Inserts a rule, or replaces the one of its id. */
export async function saveRuleRow(tx: Tx, orgId: string, row: PreviewRuleRow): Promise<void> {
  await tx.query({
    name: 'save-preview-rule',
    text: `insert into preview_rules (org_id, id, pattern, repositories, parent_id, secrets, expires_days, max, revision, created_at,
        updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (org_id, id) do update set pattern = excluded.pattern, repositories = excluded.repositories,
        parent_id = excluded.parent_id, secrets = excluded.secrets, expires_days = excluded.expires_days, max = excluded.max,
        revision = excluded.revision, updated_at = excluded.updated_at`,
    values: [
      orgId,
      row.id,
      row.pattern,
      row.repositories,
      row.parentId,
      row.secrets,
      row.expiresDays,
      row.max,
      row.revision,
      row.createdAt,
      row.updatedAt,
    ],
  })
}

/** Deletes what says which pull requests have previews. The previews stay until they are ended. */
export async function deleteRuleRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-preview-rule',
    text: 'delete from preview_rules where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}
