import { stuckPolicyMs } from '@signalbox/contract'
import type { EnvironmentStatus } from '../read-models/overview/overview-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

type Environment = Pick<EnvironmentStatus, 'id' | 'name' | 'approvals' | 'stuckSince'>

/**
 * Lists the environments in which too few members may approve, because some have left or have another role: with fewer than the
 * approvals nobody gets a change through, and with as many those who approve get none of theirs through.
 */
export function attentionOfApprovals(
  environments: readonly Environment[],
  { approvers, now }: { readonly approvers: ReadonlyMap<string, number>; readonly now: Date },
): AttentionItem[] {
  return environments.flatMap(({ id, name, approvals, stuckSince }) => {
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
        detail: `${needs}, and ${may}${isStuck ? '' : ', none of them their own change'}. Let more people approve, or ask for fewer approvals.${describeWayOut(stuckSince, now)}`,
        at: stuckSince?.toISOString() ?? null,
        next: next('Choose approvers', editorOf(id)),
      },
    ]
  })
}

function describeWayOut(stuckSince: Date | null, now: Date): string {
  if (stuckSince === null) return ''
  const from = new Date(stuckSince.getTime() + stuckPolicyMs)
  if (now >= from) return ' An owner may now choose other approvers alone.'
  const [day, time] = from.toISOString().split('T')
  return ` An owner may choose other approvers alone from ${day}, ${time?.slice(0, 5)} UTC, if nobody can approve until then.`
}

const shownMs = 7 * 24 * 3600 * 1000

type ReplacedEnvironment = Pick<EnvironmentStatus, 'id' | 'name' | 'replaced'>

/** Says to every member, for a week, who has chosen the approvers of an environment without an approval. */
export function attentionOfReplacedApprovers(
  environments: readonly ReplacedEnvironment[],
  now: Date,
): AttentionItem[] {
  return environments.flatMap(({ id, name, replaced }) => {
    if (replaced === null || now.getTime() - Date.parse(replaced.at) > shownMs) return []
    return [
      {
        severity: 'warning',
        code: 'approvers_replaced',
        subjectId: id,
        title: `${replaced.member} chose who approves changes of ${name}, without an approval`,
        detail: `Nobody had been able to approve a change there for 72 hours. Check who may approve now. This stays here for a week.`,
        at: replaced.at,
        next: next('Look at it', editorOf(id)),
      },
    ]
  })
}

function editorOf(environment: string) {
  return { page: 'environments', search: { panel: 'edit', environment } } as const
}
