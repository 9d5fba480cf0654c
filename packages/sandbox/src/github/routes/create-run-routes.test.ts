import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository } from '../testing/open-repository.ts'

type Run = components['schemas']['workflow-run']
interface List {
  readonly total_count: number
  readonly workflow_runs: readonly Run[]
}

async function openRuns() {
  const opened = await openRepository()
  const { activity, repository, ada, ask, sandbox } = opened
  const add = (name: string) =>
    activity.addWorkflow(repository, { name, file: `${name}.yml`, inputs: [] })
  const [e2e, ci] = [add('e2e'), add('ci')]
  const acme = repository.owner
  activity.push(repository, { ref: 'topic', pusher: ada, commits: [{ message: 'Fix it' }] })
  const pushed = activity.requestRun(repository, {
    workflow: ci,
    event: 'push',
    ref: 'topic',
    actor: acme,
  })
  activity.startRun(repository, pushed)
  activity.finishRun(repository, pushed, 'failure')
  sandbox.clock.advance(24 * 60 * 60 * 1000)
  const dispatched = activity.requestRun(repository, {
    workflow: e2e,
    event: 'workflow_dispatch',
    ref: 'main',
    actor: ada,
  })
  const idsAt = async (path: string) =>
    (await ask<List>(`GET ${path}`)).body.workflow_runs.map(({ id }) => id)
  return { ...opened, pushed, dispatched, idsAt }
}

describe('runs', () => {
  it('are listed newest first, in pages', async () => {
    const { ask, dispatched } = await openRuns()
    const { body, headers } = await ask<List>('GET /actions/runs?per_page=1')
    expect(body.total_count).toBe(2)
    expect(body.workflow_runs.map(({ id }) => id)).toEqual([dispatched.id])
    expect(linkTo(headers, 'next')).toContain('page=2')
  })

  it('are filtered', async () => {
    const { idsAt, pushed, dispatched } = await openRuns()
    for (const filter of [
      'event=push',
      `head_sha=${pushed.headSha}`,
      'branch=topic',
      'actor=acme',
      'status=completed',
      'status=failure',
      'event=push&branch=topic',
    ]) {
      expect([filter, await idsAt(`/actions/runs?${filter}`)]).toEqual([filter, [pushed.id]])
    }
    expect(await idsAt('/actions/runs?status=queued')).toEqual([dispatched.id])
    expect(await idsAt('/actions/runs?event=push&branch=main')).toEqual([])
  })

  it('are filtered by when they were created', async () => {
    const { idsAt, pushed, dispatched } = await openRuns()
    const day = (run: typeof pushed) => run.createdAt.toISOString().slice(0, 10)
    const second = (run: typeof pushed) => run.createdAt.toISOString().replace(/\.\d+/, '')
    const at = (created: string) =>
      idsAt(`/actions/runs?${new URLSearchParams({ created }).toString()}`)
    expect(await at(day(pushed))).toEqual([pushed.id])
    expect(await at(`>=${second(dispatched)}`)).toEqual([dispatched.id])
    expect(await at(`>${second(pushed)}`)).toEqual([dispatched.id])
    expect(await at(`<${second(dispatched)}`)).toEqual([pushed.id])
    expect(await at(`<=${day(pushed)}`)).toEqual([pushed.id])
    expect(await at(`${day(pushed)}..${day(dispatched)}`)).toEqual([dispatched.id, pushed.id])
    expect(await at(`*..${day(pushed)}`)).toEqual([pushed.id])
  })

  it('are listed by workflow', async () => {
    const { idsAt, pushed } = await openRuns()
    expect(await idsAt('/actions/workflows/ci.yml/runs')).toEqual([pushed.id])
  })

  it('are found with everything that is known of them', async () => {
    const { ask, pushed, api, web } = await openRuns()
    const url = `${api}/repos/acme/shop/actions/runs/${pushed.id}`
    expect((await ask<Run>(`GET /actions/runs/${pushed.id}`)).body).toMatchObject({
      id: pushed.id,
      name: 'ci',
      path: '.github/workflows/ci.yml',
      head_branch: 'topic',
      head_sha: pushed.headSha,
      display_title: 'Fix it',
      run_number: 1,
      run_attempt: 1,
      event: 'push',
      status: 'completed',
      conclusion: 'failure',
      workflow_id: pushed.workflowId,
      url,
      html_url: `${web}/acme/shop/actions/runs/${pushed.id}`,
      actor: { login: 'acme' },
      triggering_actor: { login: 'acme' },
      repository: { full_name: 'acme/shop' },
      head_commit: { message: 'Fix it' },
      previous_attempt_url: null,
    })
  })

  it('have no artifacts', async () => {
    const { ask, pushed } = await openRuns()
    const none = { total_count: 0, artifacts: [] }
    expect((await ask(`GET /actions/runs/${pushed.id}/artifacts`)).body).toEqual(none)
    expect((await ask('GET /actions/artifacts')).body).toEqual(none)
  })
})

describe('a rerun', () => {
  it('keeps the id, raises the attempt, and leaves the first try to be read', async () => {
    const { ask, pushed } = await openRuns()
    expect((await ask(`POST /actions/runs/${pushed.id}/rerun`)).status).toBe(201)
    const { body } = await ask<Run>(`GET /actions/runs/${pushed.id}`)
    expect(body).toMatchObject({
      run_attempt: 2,
      status: 'queued',
      conclusion: null,
      actor: { login: 'acme' },
      triggering_actor: { login: 'signalbox-sandbox[bot]' },
    })
    const before = await ask<Run>(`GET /actions/runs/${pushed.id}/attempts/1`)
    expect(before.body).toMatchObject({ run_attempt: 1, conclusion: 'failure' })
    expect(body.previous_attempt_url).toBe(`${body.url}/attempts/1`)
  })

  it('403 while the run goes on', async () => {
    const { ask, dispatched } = await openRuns()
    expect((await ask(`POST /actions/runs/${dispatched.id}/rerun`)).status).toBe(403)
  })
})

describe('404', () => {
  it.each([
    'GET /actions/runs/1',
    'GET /actions/runs/1/attempts/1',
    'GET /actions/runs/1/artifacts',
    'POST /actions/runs/1/rerun',
    'GET /actions/workflows/none.yml/runs',
  ])('for %s', async (request) => {
    const { ask } = await openRepository()
    expect((await ask(request)).status).toBe(404)
  })

  it('for a try that there was not', async () => {
    const { ask, pushed } = await openRuns()
    expect((await ask(`GET /actions/runs/${pushed.id}/attempts/2`)).status).toBe(404)
  })
})

describe('403', () => {
  it.each(['GET /actions/runs', 'GET /actions/workflows', 'GET /actions/artifacts'])(
    'for %s without actions',
    async (request) => {
      const { ask } = await openRepository()
      expect((await ask(request, { permissions: { deployments: 'write' } })).status).toBe(403)
    },
  )

  it('for a rerun by who may only read', async () => {
    const { ask } = await openRepository()
    const question = { permissions: { actions: 'read' } } as const
    expect((await ask('POST /actions/runs/1/rerun', question)).status).toBe(403)
  })
})
