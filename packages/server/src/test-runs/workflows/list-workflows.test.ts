import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenCodehost } from '../../integrations/grants/open-provider.ts'
import { openInstalled, type Installed } from '../../integrations/testing/open-installed.ts'
import { listWorkflows } from './list-workflows.ts'
import { createSharedReads } from './share-reads.ts'

const orgId = 'org_01jd2m4x9k0000000000000000'
let installed: Installed

beforeAll(async () => {
  installed = await openInstalled(orgId)
})
afterAll(() => installed.close())

it('lists none of another code host once this one is connected, and says that a sync is running', async () => {
  const { test, sandbox, repository } = installed
  const deps = {
    store: test.store,
    openCodehost: createOpenCodehost(installed.deps),
    now: () => sandbox.clock.now(),
    shareRead: createSharedReads(),
  }
  const list = async () => {
    const { workflows, isSyncing } = await listWorkflows(deps, { orgId, scope: { orgId } }, {})
    return { names: workflows.map(({ name }) => name), isSyncing }
  }
  const moveTo = (externalId: string) =>
    test.asOwner('update repositories set external_id = $1', [externalId])
  await test.asOwner(`update integrations set scopes = '{actions:read,actions:write}'`)
  await test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', $2, 'acme/shop')`,
    [orgId, String(repository.id)],
  )
  sandbox.github.activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml' })
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
})
