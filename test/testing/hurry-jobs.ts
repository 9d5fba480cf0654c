import type { AsOwner } from './as-owner.ts'

/** Makes every job due that waits for its next try. */
export async function hurryJobs({ asOwner }: AsOwner): Promise<void> {
  await asOwner(
    `update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()`,
  )
}

/** Makes every message due that waits, but for those whose outcome is not known: they are given their time. */
export async function hurryMessages(proof: AsOwner): Promise<void> {
  await proof.asOwner(
    'update notifications set hold_until = null where hold_until > now() and not ambiguous',
  )
  await hurryJobs(proof)
}

/** Ends the leases of processes that were killed, which otherwise hold a job or a message for as long as one may take. */
export async function endLeases({ asOwner }: AsOwner): Promise<void> {
  await asOwner(`
    update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active';
    update notifications set lease_until = now() where lease_until > now()`)
}

/** Lets minutes pass for messages whose outcome is not known: by now they have arrived, or never will. */
export async function ageLostMessages({ asOwner }: AsOwner): Promise<void> {
  await asOwner(
    `update notifications set first_tried_at = first_tried_at - interval '3 minutes' where first_tried_at is not null`,
  )
}

/** Ends the 90 seconds for which a run is searched for whose start was given no answer: the next search decides. */
export async function endRunSearches({ asOwner }: AsOwner): Promise<void> {
  await asOwner(
    `update test_runs set dispatched_at = dispatched_at - interval '90 seconds' where state = 'dispatching' and external_id is null`,
  )
}
