import { describeDecision, listBlocking } from '../gates/describe-decision.ts'
import type { DeploymentView } from './get-deployment.ts'
import { step, type TimedStep } from './timed-step.ts'

const states = {
  waiting: 'waiting',
  passed: 'done',
  overridden: 'done',
  refused: 'failed',
  expired: 'skipped',
} as const

/** Returns the step of a deployment that asked whether it may go on. */
export function gateSteps({ gate }: Pick<DeploymentView, 'gate'>): TimedStep[] {
  if (gate === undefined) return []
  const { row } = gate
  const blocking = row.state === 'waiting' ? listBlocking(row) : []
  const texts = blocking.map(({ text }) => text)
  return [
    step({
      at: row.decidedAt ?? row.askedAt,
      kind: 'gate',
      state: states[row.state],
      title: describeDecision(row),
      detail: texts.length === 0 ? row.comment : texts.join(' '),
      nextStep: blocking.find(({ nextStep }) => nextStep !== null)?.nextStep ?? null,
      url: row.runUrl,
      subjectId: row.id,
    }),
  ]
}
