import type { Tx } from '../../store/store.ts'
import type { Integration, IntegrationError } from '../integration.ts'

/** Records a call that succeeded. Earlier failures are over. */
export async function noteSuccess(
  tx: Tx,
  { orgId, id }: Pick<Integration, 'orgId' | 'id'>,
  at: Date,
): Promise<void> {
  await tx.query({
    name: 'note-integration-success',
    text: `update integrations set last_ok_at = greatest(last_ok_at, $3), last_error = null
      where org_id = $1 and id = $2 and state in ('connected', 'degraded')`,
    values: [orgId, id, at],
  })
}

/** Records the last failure. */
export async function noteFailure(
  tx: Tx,
  { orgId, id }: Pick<Integration, 'orgId' | 'id'>,
  error: IntegrationError,
): Promise<void> {
  await tx.query({
    name: 'note-integration-failure',
    text: `update integrations set last_error = $3
      where org_id = $1 and id = $2 and state in ('connected', 'degraded')`,
    values: [orgId, id, JSON.stringify(error)],
  })
}
