import { Problem } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildKey } from '../../configs/testing/open-config-app.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { mountCodehost } from './codehost-routes.ts'
import { recordCodehostEvent } from '../reports/record-codehost-event.ts'
import {
  at,
  buildDeployment,
  buildStatus,
  reported,
  shop,
  type TestOrganization,
} from '../testing/open-deployments.ts'
import { openSyncs, type TestSyncs } from '../testing/open-syncs.ts'
import { toTestApp } from '../../http/testing/test-app.ts'

let app: TestSyncs
let organization: TestOrganization
let call: (as: string, method: string, path?: string, body?: unknown) => Promise<Answer>

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

beforeAll(async () => {
  app = await openSyncs()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.test.asOwner('delete from pending_jobs')
  organization = await app.addOrganization()
  app.clock = at(1000)
  app.host.repositories = [{ ...shop, environments: ['production', 'eu-live'], deployments: [] }]
  app.host.calls.length = 0
  await app.test.asOwner(
    `update integrations set account = '{"id":"1","name":"acme","url":null}' where org_id = $1`,
    [organization.orgId],
  )
  call = mount(organization)
})

function mount({ orgId, staging }: TestOrganization) {
  const actors = new Map<string, Actor>([
    ['key', buildKey(orgId, 'm2m')],
    ['stagingKey', buildKey(orgId, 'm2m', { environmentIds: [staging] })],
  ])
  const router = createTestRouter({
    authenticate: ({ authorization }) => {
      const actor = actors.get(authorization?.replace('Bearer ', '') ?? '')
      if (actor === undefined) throw new Problem('invalid_credentials', 'Nobody is called so.')
      return Promise.resolve(actor)
    },
    resolveOrganization: (_actor, ref) =>
      Promise.resolve({ organization: { id: ref, slug: ref, name: 'Acme' }, role: undefined }),
  })
  mountCodehost(router, { ...app.work, connectorOf: () => undefined })
  const server = toTestApp(router.build())
  return async (as: string, method: string, path = '', body?: unknown): Promise<Answer> => {
    const answer = await server.request(`/organizations/${orgId}/integrations/codehost${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
}

async function syncNow(): Promise<Answer> {
  const { body } = await call('key', 'POST', '/sync')
  await app.doJobs()
  return call('key', 'GET', `/sync/${body.syncId}`)
}

async function deploy(number: number, environment: string): Promise<string> {
  const event = reported(
    buildDeployment(number, { environment }),
    buildStatus(number, 'success', { at: at(number) }),
  )
  const of = { orgId: organization.orgId, source: 'webhook' } as const
  return (await recordCodehostEvent(app.work, { ...of, event })).outcome
}

const environmentOf = async (number: number) => {
  const [row] = await app.test.asOwner<{ environment_id: string | null }>(
    'select environment_id from deployments where org_id = $1 and external_id = $2',
    [organization.orgId, String(1000 + number)],
  )
  return row?.environment_id
}

describe('startSync', () => {
  it('answers the sync that is under way, and getSync how far it is', async () => {
    const first = await call('key', 'POST', '/sync')
    expect(first).toMatchObject({
      status: 202,
      body: { state: 'queued', repositories: { done: 0, total: null }, finishedAt: null },
    })
    const second = await call('key', 'POST', '/sync')
    expect(second.body.syncId).toBe(first.body.syncId)
    await app.doJobs()
    expect(await call('key', 'GET', `/sync/${first.body.syncId}`)).toMatchObject({
      status: 200,
      body: { state: 'done', repositories: { done: 1, total: 1 } },
    })
  })

  it('is refused where nothing is connected, and to a key of some environments', async () => {
    expect(await call('stagingKey', 'POST', '/sync')).toMatchObject({
      status: 403,
      body: { code: 'key_scope_forbidden' },
    })
    await app.test.asOwner(`update integrations set state = 'disconnected' where org_id = $1`, [
      organization.orgId,
    ])
    expect(await call('key', 'POST', '/sync')).toMatchObject({
      status: 409,
      body: { code: 'integration_not_connected' },
    })
  })

  it('shows no sync of another organization', async () => {
    const { body } = await call('key', 'POST', '/sync')
    const foreign = mount(await app.addOrganization())
    expect(await foreign('key', 'GET', `/sync/${body.syncId}`)).toMatchObject({ status: 404 })
  })
})

describe('getCodehost', () => {
  it('shows what was found there and what it is to us', async () => {
    await syncNow()
    expect(await call('key', 'GET')).toMatchObject({
      status: 200,
      body: {
        state: 'connected',
        repositories: [{ id: shop.externalId, fullName: 'acme/shop', tracked: true }],
        environmentMap: [],
        hostEnvironments: [
          { repositoryId: shop.externalId, name: 'eu-live', environmentId: null, mappedBy: 'none' },
          { name: 'production', environmentId: organization.production, mappedBy: 'guess' },
        ],
        testWorkflows: [],
      },
    })
  })

  it('shows nothing of a former host once another is connected, before that one has been read', async () => {
    await syncNow()
    const connect = async (accountId: string) => {
      app.clock = new Date(app.clock.getTime() + 1000)
      await app.test.asOwner(
        `update integrations set account = json_build_object('id', $2::text, 'name', 'acme', 'url', null), connected_at = $3
          where org_id = $1`,
        [organization.orgId, accountId, app.clock],
      )
      await app.test.asOwner(
        `insert into pending_jobs (queue, key, start_after, data)
          select 'deployments.sync', id, $2, json_build_object('orgId', org_id, 'id', id) from integrations where org_id = $1`,
        [organization.orgId, app.clock],
      )
      await app.doJobs({ except: ['deployments.runSync'] })
      const { body } = await call('key', 'GET')
      return [body.repositories.length, body.hostEnvironments.length]
    }
    expect(await connect('1')).toEqual([1, 2])
    expect(await connect('git.example.com/1')).toEqual([0, 0])
  })

  it('shows no environment that the host has removed, without anybody asking', async () => {
    await syncNow()
    app.host.repositories = [{ ...shop, environments: ['production'], deployments: [] }]
    app.clock = at(2000)
    await app.test.asOwner(
      `insert into pending_jobs (queue, key, start_after, data) values ('deployments.reconcile', '', $1, '{}')`,
      [app.clock],
    )
    await app.doJobs()
    const { body } = await call('key', 'GET')
    expect(body.hostEnvironments.map(({ name }: { name: string }) => name)).toEqual(['production'])
  })
})

describe('updateCodehost', () => {
  it('maps what is there and what was recorded by the new rules', async () => {
    await syncNow()
    await deploy(1, 'eu-live')
    await deploy(2, 'production')
    const { production, staging } = organization
    const environmentMap = [
      { pattern: 'eu-*', environmentId: production },
      { pattern: 'prod*', environmentId: null, repositoryId: shop.externalId },
    ]
    expect(await call('key', 'PATCH', '', { environmentMap })).toMatchObject({
      status: 200,
      body: { environmentMap },
    })
    await app.doJobs()
    expect((await call('key', 'GET')).body.hostEnvironments).toMatchObject([
      { name: 'eu-live', environmentId: production, mappedBy: 'rule' },
      { name: 'production', environmentId: null, mappedBy: 'rule', ignored: true },
    ])
    expect([await environmentOf(1), await environmentOf(2)]).toEqual([production, null])
    expect(await deploy(3, 'production')).toBe('ignored')
    await call('key', 'PATCH', '', { environmentMap: [{ pattern: '*', environmentId: staging }] })
    await app.doJobs()
    expect([await environmentOf(1), await environmentOf(2)]).toEqual([staging, staging])
  })

  it('records nothing of a repository that does not count, and fetches it when it counts again', async () => {
    await syncNow()
    const repositories = (tracked: boolean) => ({
      repositories: [{ id: shop.externalId, tracked }],
    })
    const { body } = await call('key', 'PATCH', '', repositories(false))
    expect(body.repositories).toMatchObject([{ tracked: false }])
    expect(await deploy(1, 'production')).toBe('ignored')
    const deployment = buildDeployment(1)
    const statuses = [buildStatus(1, 'success')]
    app.host.repositories = [
      { ...shop, environments: ['production'], deployments: [{ deployment, statuses }] },
    ]
    await syncNow()
    expect(await environmentOf(1)).toBeUndefined()
    await call('key', 'PATCH', '', repositories(true))
    await app.doJobs()
    expect(await environmentOf(1)).toBe(organization.production)
  })

  it('lets no API key widen what API keys start, by the list or by a test workflow', async () => {
    await syncNow()
    const e2e = { repositoryId: shop.externalId, workflowId: 'e2e.yml' }
    const other = { ...e2e, workflowId: 'deploy.yml' }
    const save = (body: object) => call('key', 'PATCH', '', body)
    const widen = () => call('key', 'PUT', '/key-workflows', { keyWorkflows: [other] })
    expect(await widen()).toMatchObject({ status: 403 })
    expect(await save({ testWorkflows: [other] })).toMatchObject({ status: 200 })
    await app.test.asOwner(
      'update integrations set settings = (settings::jsonb || $2::jsonb)::json where org_id = $1',
      [organization.orgId, JSON.stringify({ keyWorkflows: [e2e] })],
    )
    // A test workflow that is there stays, and one that is chosen may be added.
    const { keyWorkflows, testWorkflows } = (await call('key', 'GET')).body
    expect(keyWorkflows).toEqual([e2e])
    expect(await save({ testWorkflows: [...testWorkflows, e2e] })).toMatchObject({ status: 200 })
    expect(
      await save({ testWorkflows: [e2e, { ...other, repositoryId: undefined }] }),
    ).toMatchObject({
      status: 403,
      body: { code: 'key_scope_forbidden', errors: [{ pointer: '/testWorkflows/1/workflowId' }] },
    })
    expect((await call('key', 'GET')).body.testWorkflows).toHaveLength(2)
  })

  it('refuses what is not there, each with its place, and stores nothing', async () => {
    await syncNow()
    const foreign = await app.addOrganization()
    const answer = await call('key', 'PATCH', '', {
      repositories: [{ id: '404', tracked: true }],
      environmentMap: [
        { pattern: '*', environmentId: organization.staging },
        { pattern: '*', environmentId: foreign.staging, repositoryId: '405' },
      ],
      testWorkflows: [{ workflowId: 'e2e.yml', environmentIds: [foreign.production] }],
    })
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/environmentMap/1/environmentId',
      '/testWorkflows/0/environmentIds/0',
      '/repositories/0/id',
      '/environmentMap/1/repositoryId',
    ])
    expect((await call('key', 'GET')).body.environmentMap).toEqual([])
  })

  it('keeps what is left out, counts the revision and leaves an audit event', async () => {
    await syncNow()
    const testWorkflows = [{ workflowId: 'e2e.yml' }]
    await call('key', 'PATCH', '', { testWorkflows })
    const { body } = await call('key', 'PATCH', '', { environmentMap: [] })
    expect(body.testWorkflows).toMatchObject([{ workflowId: 'e2e.yml', debounceSeconds: 10 }])
    const { orgId } = organization
    expect(
      await app.test.asOwner(
        `select revision from integrations where org_id = $1 and kind = 'codehost'`,
        [orgId],
      ),
    ).toEqual([{ revision: 3 }])
    expect(
      await app.test.asOwner(
        `select detail from audit_events where org_id = $1 and action = 'integration.updated' order by sequence`,
        [orgId],
      ),
    ).toEqual([
      { detail: { fields: ['testWorkflows'] } },
      { detail: { fields: ['environmentMap'] } },
    ])
  })

  it('is refused where nothing is connected', async () => {
    await app.test.asOwner(`update integrations set state = 'disconnected' where org_id = $1`, [
      organization.orgId,
    ])
    expect(await call('key', 'PATCH', '', { environmentMap: [] })).toMatchObject({
      status: 409,
      body: { code: 'integration_not_connected' },
    })
  })
})

describe('our own environments', () => {
  it('take their deployments with them when they are made, renamed or deleted', async () => {
    await deploy(1, 'qa')
    expect(await environmentOf(1)).toBeNull()
    const { orgId, staging } = organization
    const refresh = async () => {
      await app.test.asOwner(
        `insert into pending_jobs (queue, key, start_after, data)
          values ('deployments.refreshEnvironments', $1, $2, json_build_object('orgId', $1::text, 'id', $1::text))`,
        [orgId, app.clock],
      )
      await app.doJobs()
    }
    await app.test.asOwner(`update environments set name = 'testing' where id = $1`, [staging])
    await refresh()
    expect(await environmentOf(1)).toBe(staging)
    await app.test.asOwner('delete from environments where id = $1', [staging])
    await refresh()
    expect(await environmentOf(1)).toBeNull()
  })
})
