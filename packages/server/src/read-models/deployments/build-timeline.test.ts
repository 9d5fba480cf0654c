import { describe, expect, it } from 'vitest'
import { compareSteps, statusSteps } from './build-timeline.ts'
import { step, type TimedStep } from './timed-step.ts'

const told = (kind: TimedStep['kind'], at: string, title: string = kind) =>
  step({ at: new Date(`2026-11-21T06:00:${at}Z`), kind, state: 'done', title })

const order = (...steps: readonly TimedStep[]) =>
  steps.toSorted(compareSteps).map(({ title }) => title)

describe('the steps of a timeline', () => {
  it('follow from each other within a second, whichever clock told of each', () => {
    expect(
      order(
        told('test_run', '07.000'),
        told('message', '07.200'),
        told('commits', '07.900'),
        told('status', '07.000'),
        told('created', '07.000'),
      ),
    ).toEqual(['created', 'status', 'commits', 'test_run', 'message'])
  })

  it('stand in the order of their moments from one second to the next', () => {
    expect(order(told('commits', '08.000'), told('test_run', '07.999'))).toEqual([
      'test_run',
      'commits',
    ])
  })

  it('keep the order in which the code host told of them, where it told of one second', () => {
    expect(order(told('status', '07.000', 'b'), told('status', '07.000', 'a'))).toEqual(['b', 'a'])
  })

  it('begin with the creation, also where a clock is ahead', () => {
    expect(order(told('status', '06.000'), told('created', '08.000'))).toEqual([
      'created',
      'status',
    ])
  })
})

describe('the statuses of a deployment', () => {
  const steps = (
    ...said: readonly (readonly [job: string, name: string | null, state: string])[]
  ) =>
    statusSteps({
      statuses: said.map(([job, jobName, state], index) => ({
        job,
        jobName,
        state,
        environment: null,
        description: null,
        logUrl: null,
        at: new Date(index),
      })),
    }).map(({ title, state }) => `${title}, ${state}`)

  it('name no job where there is one', () => {
    expect(steps(['', 'deploy', 'in_progress'], ['', 'deploy', 'inactive'])).toEqual([
      'Deployment started, done',
      'Replaced by a newer deployment, done',
    ])
  })

  it('name the job where several deployed, and none was replaced by another of them', () => {
    expect(
      steps(
        ['', 'api', 'in_progress'],
        ['12', 'web', 'in_progress'],
        ['', 'api', 'success'],
        ['', 'api', 'inactive'],
        ['13', null, 'failure'],
      ),
    ).toEqual([
      'api: Deployment started, done',
      'web: Deployment started, running',
      'api: Deployed, done',
      'Deployment failed, failed',
    ])
  })
})
