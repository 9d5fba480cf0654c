import { explainReason } from '../audit/outlets/describe-outlets.ts'
import type { FailingOutlet } from '../read-models/overview/failing-outlet-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

/** Returns what an operator should know of an outlet of the audit log that fails. */
export function attentionOfOutlet({ name, reason, failingSince }: FailingOutlet): AttentionItem {
  return {
    severity: 'error',
    code: 'audit_log_waiting',
    subjectId: null,
    title: `The audit log doesn’t reach ${name === 'otlp' ? 'its OTLP receiver' : 'standard output'}`,
    detail: `${explainReason(reason)} The events wait, and Signalbox tries again.`,
    at: failingSince.toISOString(),
    next: next('This server', { page: 'settings' }),
    around: null,
  }
}
