import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTrackerApp, type TrackerApp } from '../testing/open-tracker-app.ts'
import { keysMax, reconcileIssues } from './reconcile-issues.ts'

let app: TrackerApp
let integrationId: string

beforeAll(async () => {
  app = await openTrackerApp()
})
beforeEach(async () => {
  await app.reset()
  await app.connect()
  const [row] = await app.test.asOwner(`select id from integrations where kind = 'tracker'`)
  integrationId = String(row?.['id'])
})
afterAll(() => app.close())

const [hour, day] = [3_600_000, 86_400_000]
const tracker = '/integrations/tracker'

async function deploy(keys: readonly string[], environment = 'production'): Promise<string> {
  const { body } = await app.call('key', 'POST /deployments', {
    repository: 'acme/shop',
    sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    ref: 'main',
    environment,
    state: 'success',
  })
  const id = String(body.id)
  const named = { commitMessages: [keys.join('\n')], deploymentId: id }
  await app.call('developer', `POST ${tracker}/enrich-deployment`, named)
  return id
}

/** Lets time pass since the tracker was asked, and has a round read what is due then. */
async function passAndReconcile({ by = 6 * hour, id = integrationId } = {}) {
  await app.test.asOwner(
    `update deployment_issues set asked_at = asked_at - $1 * interval '1 millisecond'`,
    [by],
  )
  await app.test.asOwner(
    `update issues set fetched_at = fetched_at - $1 * interval '1 millisecond'`,
    [by],
  )
  app.emitted.length = 0
  await app.test.asOwner('delete from live_changes')
  await reconcileIssues(
    {
      store: app.test.store,
      openTracker: app.openNode(),
      emit: async (_tx, event) => void app.emitted.push(event),
      now: app.deps.now,
    },
    { orgId: 'org_1', id },
  )
}

/** Counts the deployments that dashboards read again. */
const liveChanges = async () =>
  (
    await app.test.asOwner(
      `select distinct subject_id from live_changes where topic = 'deployment' and subject_id is not null`,
    )
  ).length
const issuesOf = async (id: string) =>
  (await app.call('viewer', `GET /deployments/${id}`)).body.issues
const timelineOf = async (id: string) =>
  (await app.call('viewer', `GET /deployments/${id}`)).body.timeline
const bulkCalls = () =>
  app.sandbox.log.list().filter(({ path }) => path.endsWith('issue/bulkfetch')).length

describe('an issue that changed without its webhook', () => {
  it('is shown changed after a round, on every deployment that names it, and not before', async () => {
    const ids = [await deploy(['ABC-1', 'ABC-2']), await deploy(['ABC-1'], 'staging')]
    app.sandbox.jira.setStatus('ABC-1', 'Done')
    // Control: without a round it stays as it was.
    for (const id of ids) {
      expect(await issuesOf(id)).toContainEqual(
        expect.objectContaining({ key: 'ABC-1', status: 'In Progress' }),
      )
    }
    await passAndReconcile()
    for (const id of ids) {
      expect(await issuesOf(id)).toContainEqual(
        expect.objectContaining({ key: 'ABC-1', status: 'Done' }),
      )
    }
    // Messages and dashboards follow, as after a webhook.
    expect(app.emitted).toEqual(['issues.changed', 'issues.changed'])
    expect(await liveChanges()).toBe(2)
  })

  it('is found under another key, opened late, or hidden by now', async () => {
    const id = await deploy(['ABC-1', 'ABC-2', 'ABC-4'])
    app.sandbox.jira.moveIssue('ABC-2', 'WEB2')
    app.sandbox.jira.deleteIssue('ABC-1')
    app.sandbox.jira.addIssue({ project: 'ABC', summary: 'Opened late' })
    await passAndReconcile()
    expect(await issuesOf(id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'ABC-1', state: 'forbidden' }),
        expect.objectContaining({ key: 'WEB2-2', state: 'linked' }),
        expect.objectContaining({ key: 'ABC-4', state: 'linked', title: 'Opened late' }),
      ]),
    )
    await passAndReconcile()
    expect(app.emitted).toEqual([])
  })
})

describe('a round', () => {
  it('changes nothing and tells nobody where nothing differs', async () => {
    const id = await deploy(['ABC-1', 'ABC-77'])
    const before = await issuesOf(id)
    const steps = await timelineOf(id)
    const calls = bulkCalls()
    await passAndReconcile()
    expect(bulkCalls()).toBeGreaterThan(calls)
    expect(app.emitted).toEqual([])
    // An issue was linked when it was, and a key not found since then: neither moves with each look.
    expect(await timelineOf(id)).toEqual(steps)
    const titles = steps.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(expect.arrayContaining(['1 of 2 issues linked', 'ABC-77 is not found']))
    // Of the key that names no issue, its deployment keeps when it was asked for.
    expect(await liveChanges()).toBe(1)
    expect(await issuesOf(id)).toEqual(before)
  })

  it('leaves out what was read within the hour, and what old deployments name', async () => {
    const id = await deploy(['ABC-1'])
    app.sandbox.jira.setStatus('ABC-1', 'Done')
    const calls = bulkCalls()
    await passAndReconcile({ by: hour / 2 })
    await app.test.asOwner('update deployments set created_at = created_at - interval $$31 days$$')
    await passAndReconcile({ by: day })
    expect(bulkCalls()).toBe(calls)
    expect(await issuesOf(id)).toMatchObject([{ status: 'In Progress' }])
  })

  it(`asks for ${keysMax} keys at most, and for the others first in the next one`, async () => {
    const keys = Array.from({ length: keysMax + 50 }, (_, at) => `ABC-${at + 1_000}`)
    await deploy(keys)
    const asked = async () => {
      const [row] = await app.test.asOwner<{ count: number }>(
        `select count(*)::int as count from deployment_issues where asked_at >= $1`,
        [new Date(app.deps.now().getTime() - hour)],
      )
      return row?.count
    }
    await passAndReconcile({ by: day })
    expect(await asked()).toBe(keysMax)
    await passAndReconcile({ by: 2 * hour })
    const [row] = await app.test.asOwner<{ count: number }>(
      `select count(*)::int as count from deployment_issues where asked_at < $1`,
      [new Date(app.deps.now().getTime() - 3 * hour)],
    )
    expect(row?.count).toBe(0)
  })

  it('does nothing for a tracker that was replaced, or doesn’t answer, and leaves it to the next one', async () => {
    const id = await deploy(['ABC-1'])
    app.sandbox.jira.setStatus('ABC-1', 'Done')
    const calls = bulkCalls()
    await passAndReconcile({ id: 'int_other' })
    expect(bulkCalls()).toBe(calls)
    const fault = { kind: 'answer', status: 503 } as const
    app.sandbox.faults.add({ provider: 'jira', request: 'POST /ex/jira', fault })
    await passAndReconcile()
    expect(await issuesOf(id)).toMatchObject([{ status: 'In Progress' }])
    const [row] = await app.test.asOwner(
      `select last_error from integrations where kind = 'tracker'`,
    )
    expect(row?.['last_error']).not.toBeNull()
    await passAndReconcile()
    expect(await issuesOf(id)).toMatchObject([{ status: 'Done' }])
  })

  it('parks the connection of a tracker that refuses the access, as any other call', async () => {
    await deploy(['ABC-1'])
    app.sandbox.jira.removeGrant()
    await passAndReconcile()
    const [row] = await app.test.asOwner(`select state from integrations where kind = 'tracker'`)
    expect(row).toMatchObject({ state: 'reauth_required' })
    const calls = app.sandbox.log.list().length
    await passAndReconcile()
    expect(app.sandbox.log.list()).toHaveLength(calls)
  })
})
