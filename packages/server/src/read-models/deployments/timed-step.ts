import type { deploymentEndpoints, ResponseOf, TimelineAction } from '@signalbox/contract/rest'

type Entry = ResponseOf<typeof deploymentEndpoints.getDeployment>['timeline'][number]

/** Describes a line of a timeline before the lines are sorted. */
export interface TimedStep extends Omit<Entry, 'at' | 'actions'> {
  readonly at: Date
  readonly actions: readonly TimelineAction[]
}

type StepFields = Pick<TimedStep, 'at' | 'kind' | 'state' | 'title'> & Partial<TimedStep>

/** Returns a line with what is left out empty. */
export function step(fields: StepFields): TimedStep {
  return { detail: null, url: null, nextStep: null, actions: [], subjectId: null, ...fields }
}
