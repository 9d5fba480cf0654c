import type { GateAttention } from '../read-models/overview/gate-attention-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

/** Returns what people should know of a deployment that waits for them, or that one of them has let go on. */
export function attentionOfGate(of: GateAttention): AttentionItem {
  const { id, state, repository, sha, environment, waitedFor, by, comment, at } = of
  const deployment = `${repository} ${sha.slice(0, 7)}`
  const common = {
    severity: 'warning',
    subjectId: id,
    at: at.toISOString(),
    next: next('Open', { page: 'gateDecision', params: { decisionId: id } }),
  } as const
  if (state === 'waiting') {
    return {
      ...common,
      code: 'deployment_waits',
      title: `A deployment to ${environment} waits for people`,
      detail: `${deployment} waits for ${waitedFor ?? 'an approval'}.`,
    }
  }
  const reason = waitedFor === null ? '' : ` without waiting for ${waitedFor}`
  return {
    ...common,
    code: 'gate_overridden',
    title: `${by ?? 'Somebody'} let a deployment to ${environment} go on`,
    detail: `${deployment} went on${reason}. Comment: ${comment ?? ''}`,
  }
}
