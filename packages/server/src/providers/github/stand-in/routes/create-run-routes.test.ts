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
  const { activity, repository, ada, sandbox } = opened
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
  return { ...opened, e2e, pushed, dispatched }
}

describe('runs', () => {
  it('of a workflow are listed newest first, in pages, by their event and when they were created', async () => {
    const { activity, repository, ada, ask, sandbox, e2e, dispatched } = await openRuns()
    sandbox.clock.advance(24 * 60 * 60 * 1000)
    const request = { workflow: e2e, ref: 'main', actor: ada }
    const later = activity.requestRun(repository, { ...request, event: 'push' })
    const list = async (query: Record<string, string>) => {
      const search = new URLSearchParams(query).toString()
      const { body, headers } = await ask<List>(`GET /actions/workflows/e2e.yml/runs?${search}`)
      return { ids: body.workflow_runs.map(({ id }) => id), total: body.total_count, headers }
    }
    const page = await list({ per_page: '1' })
    expect([page.ids, page.total]).toEqual([[later.id], 2])
    expect(linkTo(page.headers, 'next')).toContain('page=2')
    expect((await list({ event: 'push' })).ids).toEqual([later.id])
    const second = ({ createdAt }: typeof later) => createdAt.toISOString().replace(/\.\d+/, '')
    const between = (from: typeof later, to: typeof later) =>
      list({ created: `${second(from)}..${second(to)}` })
    expect((await between(dispatched, dispatched)).ids).toEqual([dispatched.id])
    expect((await between(dispatched, later)).ids).toEqual([later.id, dispatched.id])
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
})

describe('404', () => {
  it.each(['GET /actions/runs/1', 'GET /actions/workflows/none.yml/runs'])(
    'for %s',
    async (request) => {
      const { ask } = await openRepository()
      expect((await ask(request)).status).toBe(404)
    },
  )
})

describe('403', () => {
  it.each(['GET /actions/runs/1', 'GET /actions/workflows', 'GET /actions/workflows/e2e.yml/runs'])(
    'for %s without actions',
    async (request) => {
      const { ask } = await openRepository()
      expect((await ask(request, { permissions: { deployments: 'write' } })).status).toBe(403)
    },
  )
})
