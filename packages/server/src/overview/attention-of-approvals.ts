import type { EnvironmentStatus } from '../read-models/overview/overview-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

type Environment = Pick<EnvironmentStatus, 'id' | 'name' | 'approvals'>

/**
 * Lists the environments in which too few members may approve, because some have left or have another role: with fewer than the
 * approvals nobody gets a change through, and with as many those who approve get none of theirs through.
 */
export function attentionOfApprovals(
  environments: readonly Environment[],
  approvers: ReadonlyMap<string, number>,
): AttentionItem[] {
  return environments.flatMap(({ id, name, approvals }) => {
    const count = approvers.get(id) ?? 0
    if (count > approvals) return []
    const isStuck = count < approvals
    const needs = `Changes of ${name} need ${approvals === 1 ? '1 approval' : `${approvals} approvals`}`
    const may = `${count === 0 ? 'no member' : count === 1 ? '1 member' : `${count} members`} may approve`
    return [
      {
        severity: isStuck ? 'error' : 'warning',
        code: 'approvers_missing',
        subjectId: id,
        title: isStuck
          ? `Nobody can get a change of ${name} approved`
          : `Too few members approve changes of ${name}`,
        detail: `${needs}, and ${may}${isStuck ? '' : ', none of them their own change'}. Let more people approve, or ask for fewer approvals.`,
        at: null,
        next: next('Choose approvers', {
          page: 'environments',
          search: { panel: 'edit', environment: id },
        }),
      },
    ]
  })
}
