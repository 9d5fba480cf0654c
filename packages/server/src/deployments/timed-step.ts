import type { ResponseOf, TimelineAction, deploymentEndpoints } from '@signalbox/contract/rest'

type Entry = ResponseOf<typeof deploymentEndpoints.getDeployment>['timeline'][number]

/** A line of a timeline before it has its place. */
export interface TimedStep extends Omit<Entry, 'at' | 'actions'> {
  readonly at: Date
  readonly actions: readonly TimelineAction[]
}

type Told = Pick<TimedStep, 'at' | 'kind' | 'state' | 'title'> & Partial<TimedStep>

/** A line with what is not said left empty. */
export function step(told: Told): TimedStep {
  return { detail: null, url: null, nextStep: null, actions: [], subjectId: null, ...told }
}
