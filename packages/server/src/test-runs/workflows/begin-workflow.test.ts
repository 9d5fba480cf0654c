import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openInstalled, type Installed } from '../../integrations/testing/open-installed.ts'
import { findTarget } from './begin-workflow.ts'

const orgId = 'org_01jd2m4x9k0000000000000000'
let installed: Installed

beforeAll(async () => {
  installed = await openInstalled(orgId)
})
afterAll(() => installed.close())
beforeEach(async () => {
  await installed.reset()
  const { test, repository } = installed
  await test.asOwner(`update integrations set scopes = '{actions:read,actions:write}'`)
  for (const table of ['workflows', 'repositories']) await test.asOwner(`delete from ${table}`)
  await test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', $2, 'acme/shop')`,
    [orgId, String(repository.id)],
  )
  await test.asOwner(
    `insert into workflows (org_id, repository_id, external_id, name, path, state, fetched_at)
     select $1, 'rep_1', id, 'E2E', path, 'active', now()
     from (values ('7', '.github/workflows/e2e.yml'), ('8', '.github/workflows/twice.yml'), ('9', 'other/twice.yml')) as w (id, path)`,
    [orgId],
  )
})

const choose = (keyWorkflows: unknown) =>
  installed.test.asOwner(
    'update integrations set settings = (settings::jsonb || $1::jsonb)::json',
    [JSON.stringify({ keyWorkflows })],
  )
const find = (workflowId: string, type: 'api_key' | 'user' = 'api_key') => {
  const scope = { orgId, userId: null }
  const caller = {
    orgId,
    organizationName: 'Acme',
    scope,
    author: { type, id: 'id_1', name: 'Ada' },
    request: { requestId: 'req_1', ip: '127.0.0.1', userAgent: undefined },
    environmentIds: null,
  }
  return installed.test.store
    .transaction(scope, (tx) => findTarget(tx, caller, { workflowId, ref: 'main' }))
    .then(
      ({ repository }) => repository.id,
      ({ code }) => code,
    )
}

describe('the workflows that API keys start', () => {
  const forbidden = 'key_scope_forbidden'
  const chosen = (workflowId: string) => ({
    repositoryId: String(installed.repository.id),
    workflowId,
  })

  it('are all until an admin chooses some', async () => {
    expect(await find('e2e.yml')).toBe('rep_1')
    await choose(null)
    expect(await find('e2e.yml')).toBe('rep_1')
  })

  it('are those of their repository that are chosen by number or name, whichever a key uses', async () => {
    for (const one of ['7', 'e2e.yml']) {
      await choose([chosen(one)])
      expect([await find('7'), await find('e2e.yml'), await find('8')]).toEqual([
        'rep_1',
        'rep_1',
        forbidden,
      ])
    }
    await choose([{ ...chosen('e2e.yml'), repositoryId: '1' }])
    expect(await find('e2e.yml')).toBe(forbidden)
  })

  it('are none that a name may mean beside a chosen one', async () => {
    await choose([chosen('8')])
    expect([await find('8'), await find('twice.yml')]).toEqual(['rep_1', forbidden])
  })

  it('are none where the list is empty or cannot be read, while people start every one', async () => {
    for (const none of [[], ['?'], 'of a later version']) {
      await choose(none)
      expect([await find('e2e.yml'), await find('e2e.yml', 'user')]).toEqual([forbidden, 'rep_1'])
    }
  })
})
