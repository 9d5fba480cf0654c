import { toHref } from '@signalbox/contract'
import type { FailingTarget } from '../read-models/overview/failing-target-rows.ts'
import type { AttentionItem } from './dashboard-steps.ts'

/** Returns what a person should know of a target that does not write. */
export function attentionOfTarget(target: FailingTarget): AttentionItem {
  const { id, name, detail, step, failingSince } = target
  return {
    severity: 'error',
    code: 'target_failing',
    subjectId: id,
    title: `The target ${name} is failing`,
    detail: `${detail} ${step}`,
    at: failingSince.toISOString(),
    next: { label: 'Open', href: toHref({ page: 'targets', search: { target: id } }) },
  }
}
