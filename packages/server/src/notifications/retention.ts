import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'
import type { Tx } from '../store/store.ts'

/** Deletes messages that a person deleted, or that the chat refused. Messages in a channel may still be changed. */
export const notificationRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-notifications',
      text: forgetSql('notifications', `state in ('broken', 'gone') and updated_at < $1`),
      values: [before, limit],
    }),
}

/** Lists those of some deployments of which a message is on its way to the chat. */
export async function listDeploymentsInMessages(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  deploymentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-deployments-in-messages',
    text: `select distinct subject_id as id from notifications
      where org_id = $1 and subject_id = any ($2)
        and (state = 'sending' or (state in ('wanted', 'live') and desired_rev > sent_rev))`,
    values: [orgId, deploymentIds],
  })
  return rows.map(({ id }) => id)
}

/** Deletes the records of deployments' messages. The messages in the channel stay, and are not edited any more. */
export async function deleteNotificationsOfDeployments(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  deploymentIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete-notifications-of-old-deployments',
    text: `delete from notifications
      where org_id = $1 and subject_id = any ($2) and subject_kind like 'deployment%'`,
    values: [orgId, deploymentIds],
  })
}
