import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOpenCodehost } from '../../integrations/grants/open-provider.ts'
import { openInstalled, type Installed } from '../../integrations/testing/open-installed.ts'
import { listWorkflows, type ListWorkflowsDeps } from './list-workflows.ts'
import { createSharedReads } from './share-reads.ts'

const orgId = 'org_01jd2m4x9k0000000000000000'
let installed: Installed
let deps: ListWorkflowsDeps

beforeAll(async () => {
  installed = await openInstalled(orgId)
  deps = {
    store: installed.test.store,
    openCodehost: createOpenCodehost(installed.deps),
    now: () => installed.sandbox.clock.now(),
    shareRead: createSharedReads(),
  }
})
beforeEach(async () => {
  await installed.reset()
  const { test, repository } = installed
  await test.asOwner(`update integrations set scopes = '{actions:read,actions:write}'`)
  await test.asOwner('delete from repositories')
  await test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', $2, 'acme/shop')`,
    [orgId, String(repository.id)],
  )
})
afterAll(() => installed.close())

async function list(of: { readonly repositoryId?: string } = {}) {
  const { workflows, isSyncing } = await listWorkflows(deps, { orgId, scope: { orgId } }, of)
  return { names: workflows.map(({ name }) => name), isSyncing }
}
const add = (name: string) =>
  installed.sandbox.github.activity.addWorkflow(installed.repository, {
    name,
    file: `${name.toLowerCase()}.yml`,
  })
const count = (part: string) =>
  installed.sandbox.log.list().filter(({ path }) => path.includes(part)).length
const minutesLater = () => installed.sandbox.clock.advance(6 * 60_000)

it('lists none of another code host once this one is connected, and says that a sync is running', async () => {
  const { test, sandbox } = installed
  const moveTo = (externalId: string) =>
    test.asOwner('update repositories set external_id = $1', [externalId])
  add('E2E')
  expect(await list()).toEqual({ names: ['E2E'], isSyncing: false })
  await moveTo('gitlab.example.com/gitlab/7')
  // Control: through the connection that it was read with, it stays.
  expect(await list()).toEqual({ names: ['E2E'], isSyncing: false })
  sandbox.clock.advance(1_000)
  await test.asOwner('update integrations set connected_at = $1', [sandbox.clock.now()])
  await test.asOwner(
    `insert into syncs (org_id, id, depth, state, progress, cursor, started_at)
     values ($1, 'syn_1', 'full', 'running', '{}', '{}', now())`,
    [orgId],
  )
  expect(await list()).toEqual({ names: [], isSyncing: true })
  await test.asOwner('delete from syncs')
})

describe('a list of workflows', () => {
  it('is read once for all who ask at the same time, and not again for those who come later', async () => {
    add('E2E')
    const lists = await Promise.all(Array.from({ length: 20 }, () => list()))
    expect(new Set(lists.map(({ names }) => names.join()))).toEqual(new Set(['E2E']))
    expect((await list()).names).toEqual(['E2E'])
    expect(count('/actions/workflows')).toBe(1)
    minutesLater()
    const fault = { kind: 'answer', status: 503 } as const
    installed.sandbox.faults.add({ provider: 'github', request: 'GET /repositories/', fault })
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => list()))
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['rejected']))
    // A failure is that of all who waited, and nobody’s afterwards.
    expect((await list()).names).toEqual(['E2E'])
  })

  it('reads the files of more than twenty only for the repository that is named', async () => {
    for (let at = 0; at < 20; at += 1) add(`W${at}`)
    expect((await list()).names).toHaveLength(20)
    expect(count('/contents/')).toBe(20)
    add('W20')
    minutesLater()
    expect((await list()).names).toHaveLength(21)
    expect(count('/contents/')).toBe(20)
    await list({ repositoryId: String(installed.repository.id) })
    expect(count('/contents/')).toBe(41)
  })
})
