import type { Tx } from '../store/store.ts'

/** Lists organizations whose checks are due, the longest due first. */
export async function listDueOrganizations(
  tx: Tx,
  of: { readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ readonly orgId: string }>({
    name: 'list-due-commit-checks',
    text: `select org_id as "orgId" from commit_check_dues where due_at <= $1 group by org_id order by min(due_at) limit $2`,
    values: [of.now, of.limit],
  })
  return rows.map(({ orgId }) => orgId)
}

/**
 * Takes all that makes the checks of an organization due. It is there again if the transaction fails, and what is written after it
 * leaves a row of its own. Returns whether there was any.
 */
export async function takeDue(tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'take-due-commit-checks',
    text: `delete from commit_check_dues where (org_id, number) in
      (select org_id, number from commit_check_dues where org_id = $1 for update skip locked) returning 1`,
    values: [orgId],
  })
  return rows.length > 0
}

/** Makes the checks of an organization due at a time. */
export async function addDue(tx: Tx, orgId: string, at: Date): Promise<void> {
  await tx.query({
    name: 'add-due-commit-checks',
    text: 'insert into commit_check_dues (org_id, due_at) values ($1, $2)',
    values: [orgId, at],
  })
}
