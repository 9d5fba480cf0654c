import { describe, expect, it } from 'vitest'
import { latestAttemptOf } from '../run-parts.ts'
import { ada, recordActivity } from '../testing/record-activity.ts'
import type { NewWorkflow } from './create-run-activity.ts'

function record(added: Partial<NewWorkflow> = {}) {
  const recorded = recordActivity()
  const { activity, repository, events } = recorded
  const workflow = activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml', ...added })
  const request = (inputs = {}) =>
    activity.requestRun(repository, {
      workflow,
      event: 'workflow_dispatch',
      ref: 'main',
      actor: ada,
      inputs,
    })
  const steps = () => events.map(({ name, action }) => `${name} ${action}`)
  return { ...recorded, request, steps }
}

describe('a run', () => {
  it('is told of when it is requested, in progress and completed', () => {
    const { activity, repository, clock, events, request } = record()
    const run = request()
    clock.advance(1000)
    activity.startRun(repository, run)
    clock.advance(90_000)
    activity.finishRun(repository, run, 'failure')
    const common = { id: run.id, head_branch: 'main', head_sha: repository.branches.get('main') }
    expect(events).toMatchObject([
      {
        name: 'workflow_run',
        action: 'requested',
        payload: {
          action: 'requested',
          workflow_run: { ...common, status: 'queued', conclusion: null, run_attempt: 1 },
          workflow: { name: 'E2E' },
        },
      },
      { payload: { action: 'in_progress', workflow_run: { ...common, status: 'in_progress' } } },
      {
        payload: {
          action: 'completed',
          workflow_run: { ...common, status: 'completed', conclusion: 'failure' },
        },
      },
    ])
    const { startedAt, updatedAt } = latestAttemptOf(run)
    expect(updatedAt.getTime() - startedAt.getTime()).toBeGreaterThanOrEqual(90_000)
  })

  it('is counted within its workflow', () => {
    const { request } = record()
    expect([request(), request()].map(({ runNumber }) => runNumber)).toEqual([1, 2])
  })

  it('is named by its inputs, where the workflow says so', () => {
    const { request } = record({ runName: 'E2E for ${{ inputs.deployment }}${{ inputs.none }}' })
    expect(request({ deployment: '42' }).displayTitle).toBe('E2E for 42')
  })

  it('is named after its workflow, or after the commit that was pushed', () => {
    const { activity, repository, request } = record()
    expect(request().displayTitle).toBe('E2E')
    const workflow = activity.addWorkflow(repository, { name: 'CI', file: 'ci.yml' })
    activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message: 'Fix\n\nWhy' }] })
    const pushed = { workflow, event: 'push', ref: 'main', actor: ada } as const
    expect(activity.requestRun(repository, pushed).displayTitle).toBe('Fix')
  })

  it('keeps its id when it is run again, and its first try', () => {
    const { activity, repository, events, request } = record()
    const run = request()
    activity.finishRun(repository, run, 'failure')
    activity.rerun(repository, run, ada)
    expect(events.at(-1)?.payload).toMatchObject({
      action: 'requested',
      workflow_run: { id: run.id, run_attempt: 2, status: 'queued', conclusion: null },
    })
    expect(run.attempts.map(({ conclusion }) => conclusion)).toEqual(['failure', null])
  })

  it('refuses steps out of order', () => {
    const { activity, repository, request } = record()
    const run = request()
    expect(() => activity.rerun(repository, run, ada)).toThrow('is queued')
    activity.startRun(repository, run)
    expect(() => activity.startRun(repository, run)).toThrow('is in_progress')
    activity.finishRun(repository, run, 'success')
    expect(() => activity.finishRun(repository, run, 'success')).toThrow('has ended')
  })
})

describe('autoRun', () => {
  const requested = 'workflow_run requested'
  const inProgress = 'workflow_run in_progress'
  const completed = 'workflow_run completed'

  it('leads a run to its end, after whoever asked has had their answer', async () => {
    const { request, steps } = record({ autoRun: { conclusion: 'success' } })
    const run = request()
    expect(steps()).toEqual([requested])
    await expect.poll(steps).toEqual([requested, inProgress, completed])
    expect(latestAttemptOf(run).conclusion).toBe('success')
  })

  it('takes as long as it is to by the clock', async () => {
    const autoRun = { conclusion: 'failure', durationMs: 3_600_000 } as const
    const { clock, request, steps } = record({ autoRun })
    const run = request()
    await expect.poll(steps).toEqual([requested, inProgress])
    clock.advance(3_600_000)
    await expect.poll(steps).toEqual([requested, inProgress, completed])
    const { startedAt, updatedAt } = latestAttemptOf(run)
    expect(updatedAt.getTime() - startedAt.getTime()).toBeGreaterThanOrEqual(3_600_000)
  })

  it('leads each try', async () => {
    const { activity, repository, request, steps } = record({ autoRun: { conclusion: 'failure' } })
    const run = request()
    await expect.poll(steps).toHaveLength(3)
    activity.rerun(repository, run, ada)
    await expect.poll(steps).toHaveLength(6)
    expect(run.attempts.map(({ status }) => status)).toEqual(['completed', 'completed'])
  })

  it('leaves alone a run that somebody else leads, and one that a reset has forgotten', async () => {
    const autoRun = { conclusion: 'failure' } as const
    const { activity, repository, state, request, steps } = record({ autoRun })
    activity.finishRun(repository, request(), 'cancelled')
    request()
    state.repositories.clear()
    await new Promise((resolve) => setImmediate(resolve))
    expect(steps()).toEqual([requested, completed, requested])
  })
})
