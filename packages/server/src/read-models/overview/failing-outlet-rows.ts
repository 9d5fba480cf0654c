import type { Tx } from '../../store/store.ts'

/** Describes an outlet of the audit log that fails. */
export interface FailingOutlet {
  readonly name: string
  readonly reason: string
  readonly failingSince: Date
}

/**
 * Lists the outlets of the audit log that fail, in the organization that the set-up made and for its owners: they run the
 * server.
 */
export async function listFailingOutlets(
  tx: Tx,
  orgId: string,
  userId: string | null,
): Promise<FailingOutlet[]> {
  return tx.query<FailingOutlet>({
    name: 'list-failing-outlets',
    text: `select o.name, o.reason, o.failing_since as "failingSince" from audit_outlets o
      where o.reason is not null and o.failing_since is not null and exists (
        select from setup s join members m on m.org_id = s.first_org_id
        where s.first_org_id = $1 and m.user_id = $2 and m.role = 'owner')
      order by o.name`,
    values: [orgId, userId],
  })
}
