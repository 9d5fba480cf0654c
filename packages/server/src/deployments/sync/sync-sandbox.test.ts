import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenCodehost } from '../../integrations/grants/open-provider.ts'
import { openInstalled, type Installed } from '../../integrations/testing/open-installed.ts'
import type { NewJob } from '../../jobs/jobs.ts'
import { enrichDeployment } from '../commits/enrich-job.ts'
import { runSync } from './run-sync.ts'
import { beginSync } from './start-sync.ts'
import type { RunSyncDeps } from './sync-work.ts'

let app: Installed
beforeAll(async () => {
  app = await openInstalled()
})
afterAll(() => app.close())

/** Everything that a sync has pushed, deployed and named, in one account of GitHub over HTTP. */
function work() {
  const { github } = app.sandbox
  const { repository } = app
  const ada = github.state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost its people')
  const push = (message: string) =>
    github.activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message }] }).sha
  const deploy = (state: 'success' | 'failure') => {
    const deployment = github.activity.deploy(repository, { ref: 'main', creator: ada })
    github.activity.setDeploymentStatus(repository, deployment, { state, creator: ada })
    return String(deployment.id)
  }
  return { push, deploy }
}

it('reads what GitHub has, and the commits of each deployment', async () => {
  const { push, deploy } = work()
  const { orgId, test } = app
  const base = push('Begin')
  const first = deploy('success')
  push('ABC-1 Sign in')
  const head = push('ABC-2 Sign out')
  const second = deploy('success')
  await test.asOwner("update integrations set connected_at = now() + interval '1 hour'")
  const added: NewJob[] = []
  const deps: RunSyncDeps = {
    store: test.store,
    now: () => app.sandbox.clock.now(),
    emit: () => Promise.resolve(),
    moveTestRuns: () => Promise.resolve(),
    jobs: {
      nodeId: 'node',
      enqueue: () => Promise.resolve(),
      enqueueAll: (_tx, _queue, jobs) => Promise.resolve(void added.push(...jobs)),
    },
    openCodehost: createOpenCodehost(app.deps),
    openTracker: () => Promise.reject(new Error('No tracker is asked here')),
    connectorOf: app.deps.connectorOf,
    // GitHub has one webhook for all repositories, so that none is made.
    keys: { getSealer: () => Promise.reject(new Error('Nothing is sealed here')) },
    publicUrl: () => 'http://127.0.0.1:4400',
  }
  const { id } = await test.store.transaction({ orgId }, (tx) => beginSync(deps, tx, orgId, 'full'))
  await runSync(deps, { orgId, id, signal: new AbortController().signal, isLastTry: false })
  expect(await test.asOwner('select state, detail, progress from syncs')).toEqual([
    {
      state: 'done',
      detail: null,
      progress: {
        repositories: { done: 1, total: 1 },
        webhooks: { done: 0, total: 0 },
        environments: { done: 1, total: 1 },
        deployments: { done: 2, total: 2 },
        missedWebhooks: 0,
        issues: { done: 0, total: null },
        changedIssues: 0,
      },
    },
  ])
  const rows = await test.asOwner<{ id: string; external_id: string; state: string }>(
    'select id, external_id, state from deployments order by created_at, external_id::bigint',
  )
  expect(rows.map(({ external_id, state }) => [external_id, state])).toEqual([
    [first, 'superseded'],
    [second, 'success'],
  ])
  expect(new Set(added.map(({ key }) => key))).toEqual(new Set(rows.map((row) => row.id)))
  for (const row of rows) {
    const openTracker = () => Promise.reject(new Error('There are no keys to look up'))
    await enrichDeployment({ ...deps, openTracker }, { orgId, id: row.id })
  }
  expect(
    await test.asOwner('select relation, range from deployments order by external_id::bigint'),
  ).toMatchObject([
    { relation: 'first', range: { head: base, total: 1 } },
    { relation: 'forward', range: { base, head, status: 'ahead', total: 2 } },
  ])
})
