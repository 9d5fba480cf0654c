import { Problem } from '@signalbox/contract'
import { isDeepStrictEqual } from 'node:util'
import type { Protection } from '../../config-model/confirmation.ts'
import { describeUnknown, nameIds, requireKnownIds } from '../../http/input/known-ids.ts'
import { countApprovers, findMemberIds } from '../../identity/members/approvers.ts'
import type { Tx } from '../../store/store.ts'
import { listSignalRows } from '../signals/signal-rows.ts'

interface SavedProtection {
  readonly environmentId: string
  readonly before: Protection
  readonly after: Protection
}

/**
 * Refuses a protection that names a signal which doesn't exist. The lock of the structure keeps the others from being deleted.
 *
 * @throws {Problem} `validation_failed`
 */
export async function requireSignals(tx: Tx, orgId: string, { prove }: Protection): Promise<void> {
  if (prove === null) return
  const rows = await listSignalRows(tx, orgId, prove.signals)
  requireKnownIds({
    named: nameIds(['protection', 'prove', 'signals'], prove.signals),
    known: new Set(rows.map(({ id }) => id)),
    detail: describeUnknown('signal'),
  })
}

/**
 * Refuses a protection that nobody could meet: of the members who may approve, one may be the author of the change. When members
 * leave later, it stays as it is stored.
 *
 * @throws {Problem} `validation_failed` for somebody who is no member, `no_possible_approver`
 */
export async function requireApprovers(
  tx: Tx,
  orgId: string,
  { environmentId, before, after }: SavedProtection,
): Promise<void> {
  const { approvals, approvers } = after
  const isOther = !isDeepStrictEqual(before.approvers, approvers)
  if (isOther && 'members' in approvers) {
    requireKnownIds({
      named: nameIds(['protection', 'approvers', 'members'], approvers.members),
      known: await findMemberIds(tx, orgId, approvers.members),
      detail: describeUnknown('member'),
    })
  }
  if (approvals === 0 || (!isOther && before.approvals === approvals)) return
  const counts = await countApprovers(tx, orgId, [{ id: environmentId, approvers }])
  const count = counts.get(environmentId) ?? 0
  if (count > approvals) return
  const detail = `${nameMembers(count)} may approve changes here, and ${approvals} ${approvals === 1 ? 'approval needs' : 'approvals need'} at least ${approvals + 1}: nobody approves their own change. Let more people approve, or ask for fewer approvals.`
  const pointer = isOther ? '/protection/approvers' : '/protection/approvals'
  const errors = [{ pointer, code: 'no_possible_approver' as const, detail }]
  throw new Problem('no_possible_approver', detail, { errors })
}

function nameMembers(count: number): string {
  if (count === 0) return 'No member'
  return count === 1 ? 'Only 1 member' : `Only ${count} members`
}
