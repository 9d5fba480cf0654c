import { Problem } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProviderError } from '../../providers/provider-error.ts'
import type { FoundIssue } from '../../providers/tracker.ts'
import { beginSync } from './start-sync.ts'
import { at, buildDeployment, shop, type TestOrganization } from '../testing/open-deployments.ts'
import { Killed, openSyncs, type TestSyncs } from '../testing/open-syncs.ts'

let app: TestSyncs
let organization: TestOrganization
const done = new Set<string>()

beforeAll(async () => {
  app = await openSyncs()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.test.asOwner('delete from pending_jobs')
  organization = await app.addOrganization()
  app.clock = at(100_000)
  app.dead.length = 0
  app.afterCommit = () => undefined
  app.tracker.answer = show
  done.clear()
  await deploy(count)
  app.tracker.asked.length = 0
  app.emitted.length = 0
  app.host.calls.length = 0
})

const count = 120
const keysOf = (issues: number) => Array.from({ length: issues }, (_, index) => `ABC-${index + 1}`)

/** Shows every issue; those of `done` as done. */
function show(keys: readonly string[]): FoundIssue[] {
  return keys.map((key) => ({
    key,
    outcome: 'found',
    issue: {
      externalId: key,
      key,
      title: `Title of ${key}`,
      type: 'Task',
      status: done.has(key) ? 'Done' : 'To Do',
      statusCategory: done.has(key) ? 'done' : 'new',
      assignee: null,
      priority: null,
      url: `https://acme.example.com/browse/${key}`,
    },
  }))
}

/** Has two deployments found: the first names all issues, the second one of them. */
async function deploy(issues: number) {
  const named = { 1: keysOf(issues).join(' '), 2: 'ABC-1' }
  app.host.repositories = [
    {
      ...shop,
      environments: ['production'],
      deployments: Object.entries(named).map(([number, payloadText]) => ({
        deployment: buildDeployment(Number(number), { payloadText }),
        statuses: [],
      })),
    },
  ]
  const { orgId } = organization
  await app.work.store.transaction({ orgId }, (tx) => beginSync(app.work, tx, orgId, 'full'))
  await app.doJobs()
  expect(await countShown('To Do')).toBe(issues + 1)
  // They are news, so that messages follow.
  await app.test.asOwner('update deployments set is_history = false')
}

async function countShown(status: string): Promise<number | undefined> {
  const [row] = await app.test.asOwner<{ count: number }>(
    `select count(*)::int as count from deployment_issues n join issues i on i.org_id = n.org_id and i.id = n.issue_id
     where n.org_id = $1 and n.state = 'linked' and i.status = $2`,
    [organization.orgId, status],
  )
  return row?.count
}

async function begin(): Promise<string> {
  const { orgId } = organization
  const { id } = await app.work.store.transaction({ orgId }, (tx) =>
    beginSync(app.work, tx, orgId, 'issues'),
  )
  return id
}

interface StoredSync {
  readonly state: string
  readonly detail: string | null
  readonly progress: {
    readonly issues: { readonly done: number; readonly total: number | null }
    readonly changedIssues: number
  }
}

async function stored(id: string): Promise<StoredSync> {
  const [row] = await app.test.asOwner<StoredSync>('select * from syncs where id = $1', [id])
  if (row === undefined) throw new Error('There is no such sync')
  return row
}

describe('a sync of issues', () => {
  it('reads every issue that recent deployments name, and says how many had changed', async () => {
    done.add('ABC-1').add('ABC-99')
    const id = await begin()
    // Control: nothing has changed before.
    expect(await countShown('Done')).toBe(0)
    await app.doJobs()
    expect(await stored(id)).toMatchObject({
      state: 'done',
      detail: null,
      progress: { issues: { done: count, total: count }, changedIssues: 2 },
    })
    expect(await countShown('Done')).toBe(3)
    expect(app.tracker.asked.flat().toSorted()).toEqual(keysOf(count).toSorted())
    expect(app.emitted.filter(({ event }) => event === 'issues.changed')).not.toEqual([])
    expect(app.host.calls).toEqual([])
  })

  it('shows how far it is after each call, and of how many', async () => {
    const seen: unknown[] = []
    const id = await begin()
    app.tracker.answer = async (keys) => {
      seen.push((await stored(id)).progress.issues)
      return show(keys)
    }
    await app.doJobs()
    expect(seen).toHaveLength(3)
    expect(seen.slice(0, 2)).toEqual([
      { done: 0, total: count },
      { done: 50, total: count },
    ])
  })

  it('goes on where it was after a kill, and counts nothing twice', async () => {
    done.add('ABC-1')
    const id = await begin()
    let commits = 0
    let kills = 0
    app.afterCommit = () => {
      commits += 1
      if (commits % 3 !== 0 || kills > 3) return
      kills += 1
      throw new Killed()
    }
    await app.doJobs()
    expect(kills).toBeGreaterThan(2)
    expect(await stored(id)).toMatchObject({
      state: 'done',
      progress: { issues: { done: count, total: count } },
    })
    // A call is repeated where the kill came before its answer was stored, and no other.
    expect(app.tracker.asked.length).toBeLessThanOrEqual(3 + kills)
    expect(await countShown('Done')).toBe(2)
  })

  it('waits as long as the tracker asks, which is no failed try', async () => {
    const retryAt = at(101_000)
    app.tracker.answer = () => {
      app.tracker.answer = show
      throw new ProviderError({
        provider: 'jira',
        failure: 'rateLimited',
        code: 'http_429',
        retryAt,
      })
    }
    const id = await begin()
    await app.doJobs()
    expect(await stored(id)).toMatchObject({
      state: 'running',
      detail: expect.stringMatching(/^Waiting until .* UTC: Jira asks for a pause\.$/),
    })
    expect(await app.waiting()).toEqual([{ queue: 'deployments.runSync', startAfter: retryAt }])
    app.clock = at(101_001)
    await app.doJobs()
    expect(await stored(id)).toMatchObject({ state: 'done', detail: null })
  })

  it('fails with what to do where the access has ended', async () => {
    app.tracker.answer = () => {
      throw new Problem('reauth_required', 'Connect Jira again.')
    }
    const id = await begin()
    await app.doJobs()
    expect(await stored(id)).toMatchObject({ state: 'failed', detail: 'Connect Jira again.' })
    expect(app.dead).toEqual([])
  })

  it('ends at once where no recent deployment names an issue', async () => {
    await app.test.asOwner(`update deployments set created_at = created_at - interval '31 days'`)
    const id = await begin()
    await app.doJobs()
    expect(await stored(id)).toMatchObject({
      state: 'done',
      progress: { issues: { done: 0, total: 0 } },
    })
    expect(app.tracker.asked).toEqual([])
  })

  it('is one at a time, beside one of the code host', async () => {
    const id = await begin()
    expect(await begin()).toBe(id)
    const { orgId } = organization
    const other = await app.work.store.transaction({ orgId }, (tx) =>
      beginSync(app.work, tx, orgId, 'full'),
    )
    expect(other.id).not.toBe(id)
    await app.doJobs()
    expect(await stored(other.id)).toMatchObject({ state: 'done' })
    expect(await begin()).not.toBe(id)
  })
})
