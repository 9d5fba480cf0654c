import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RestrictedCaller } from '../../audit/caller.ts'
import type { CodehostDeployment } from '../../providers/codehosts/deployment.ts'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import { nameRepositories } from '../codehost/repository-rows.ts'
import { takeOverNamed } from '../codehost/take-over-named.ts'
import { readDeployment } from '../../read-models/deployments/read-deployment.ts'
import { createTestRun } from '../../test-runs/runs/create-test-run.ts'
import { recordRunEvent } from '../../test-runs/runs/record-run-event.ts'
import { buildHostRun } from '../../test-runs/testing/build-host-run.ts'
import { createDeployment, type CreateDeployment } from './create-deployment.ts'
import { recordCodehostEvent } from './record-codehost-event.ts'
import {
  buildDeployment,
  buildStatus,
  created,
  openDeployments,
  reported,
  shop,
  type TestDeployments,
  type TestOrganization,
} from '../testing/open-deployments.ts'

let app: TestDeployments
let organization: TestOrganization

beforeAll(async () => {
  app = await openDeployments()
})
afterAll(() => app.close())
beforeEach(async () => {
  organization = await app.addOrganization()
})

const minuteOf = (minute: number) => new Date(Date.UTC(2026, 10, 21, 6, minute))

const callerOf = ({ orgId }: TestOrganization): RestrictedCaller => ({
  orgId,
  scope: { orgId },
  organizationName: 'Acme',
  environmentIds: null,
  author: { type: 'system', id: null, name: 'ci' },
  request: { requestId: 'req_1', ip: '127.0.0.1', userAgent: undefined },
})

const pipeline = (minute: number, of: Partial<CreateDeployment> = {}) => {
  const caller = callerOf(organization)
  const sha = `a${minute}`.padEnd(40, '0')
  const report = { repository: 'acme/shop', sha, ref: 'main', environment: 'production' } as const
  return createDeployment({ ...app.deps, now: () => minuteOf(minute), readDeployment }, caller, {
    ...report,
    state: 'success',
    ...of,
  })
}

const record = (event: CodehostEvent) =>
  recordCodehostEvent(app.deps, { orgId: organization.orgId, event, source: 'webhook' })

const host = async (minute: number, of: Partial<CodehostDeployment> = {}, repository = shop) => {
  const sha = `b${minute}`.padEnd(40, '0')
  const deployment = buildDeployment(minute, { createdAt: minuteOf(minute), sha, ...of })
  await record(created(deployment, repository))
  const status = buildStatus(minute, 'success', { at: minuteOf(minute) })
  await record(reported(deployment, status, repository))
}

const repositories = async () =>
  (
    await app.test.asOwner<{ full_name: string }>(
      'select full_name from repositories where org_id = $1 order by 1',
      [organization.orgId],
    )
  ).map(({ full_name }) => full_name)

const live = async () =>
  (
    await app.test.asOwner<{ sha: string }>(
      `select left(sha, 2) as sha from deployments where org_id = $1 and state = 'success' order by 1`,
      [organization.orgId],
    )
  ).map(({ sha }) => sha)

describe('deployments that a pipeline and the code host report', () => {
  it('replace each other, whichever is first', async () => {
    await pipeline(1)
    await host(2)
    expect(await live()).toEqual(['b2'])
    await pipeline(3)
    expect(await live()).toEqual(['a3'])
    await host(4)
    expect(await live()).toEqual(['b4'])
  })

  it('replace each other where the pipeline reports the new name of a repository first', async () => {
    const store = { ...shop, fullName: 'acme/store' }
    await host(1)
    await pipeline(2, { repository: 'acme/store', externalId: 'build-2' })
    await host(3, {}, store)
    expect(await live()).toEqual(['b3'])
    await pipeline(4, { repository: 'acme/store' })
    expect(await live()).toEqual(['a4'])
    expect(await repositories()).toEqual(['acme/store'])
  })

  it('take their test runs along, where the pipeline reports the new name of a repository first', async () => {
    const store = { ...shop, fullName: 'acme/store' }
    const { orgId } = organization
    const deps = { ...app.deps, emit: () => Promise.resolve() }
    await host(1)
    const { id: deploymentId } = await pipeline(2, { repository: 'acme/store' })
    const test = (externalId: string) =>
      createTestRun(deps, callerOf(organization), { deploymentId, name: 'e2e', externalId })
    const first = await test('9001')
    await host(3, {}, store)
    expect((await test('9001')).id).toBe(first.id)
    const run = buildHostRun({ externalId: '9001', state: 'running' })
    const of = { orgId, repositoryExternalId: store.externalId, run }
    const recorded = await app.deps.store.transaction({ orgId }, (tx) =>
      recordRunEvent(deps, tx, of),
    )
    expect(recorded).toBe('recorded')
  })

  it('leave a test run that is in the other repository already', async () => {
    const { orgId } = organization
    const deps = { ...app.deps, emit: () => Promise.resolve() }
    const test = (deploymentId: string) =>
      createTestRun(deps, callerOf(organization), { deploymentId, name: 'e2e', externalId: '9001' })
    await host(1)
    const old = await pipeline(2)
    const renamed = await pipeline(3, { repository: 'acme/store' })
    const [first, twin] = [await test(old.id), await test(renamed.id)]
    await host(4, {}, { ...shop, fullName: 'acme/store' })
    expect((await test(renamed.id)).id).toBe(first.id)
    const runs = await app.test.asOwner('select id from test_runs where org_id = $1', [orgId])
    expect(runs).toHaveLength(2)
    expect(twin.id).not.toBe(first.id)
  })

  it('are in one repository once a sync has read its new name', async () => {
    await host(1)
    await pipeline(2, { repository: 'acme/store' })
    const { orgId } = organization
    const store = { ...shop, fullName: 'acme/store' }
    await app.deps.store.transaction({ orgId }, async (tx) => {
      await nameRepositories(tx, orgId, { repositories: [store], at: minuteOf(9) })
      await takeOverNamed(app.deps, tx, orgId, [store.externalId])
    })
    expect(await live()).toEqual(['a2'])
    expect(await repositories()).toEqual(['acme/store'])
  })

  it('are one deployment when a first sync ended while its report before was being stored', async () => {
    const { orgId } = organization
    const run = { externalId: 'run 1', sha: 'c'.repeat(40) }
    const first = await app.deps.store.transaction({ orgId }, async (tx) => {
      await nameRepositories(tx, orgId, { repositories: [shop], at: minuteOf(1) })
      await takeOverNamed(app.deps, tx, orgId, [shop.externalId])
      return pipeline(2, { ...run, state: 'in_progress' })
    })
    expect((await pipeline(3, run)).id).toBe(first.id)
    expect(await repositories()).toEqual(['acme/shop'])
  })

  it('are in the repository of the code host that was connected last, before its first sync as well', async () => {
    const { orgId } = organization
    const connect = (provider: string, id: string) =>
      app.test.asOwner(
        `update integrations set provider = $2, account_id = $3, account = json_build_object('id', $3::text)
          where org_id = $1 and kind = 'codehost'`,
        [orgId, provider, id],
      )
    await connect('github', '7')
    await host(1)
    await connect('forgejo', 'git.example.com/code/7')
    const { id } = await pipeline(2)
    const moved = { ...shop, externalId: 'git.example.com/code/1296269' }
    await app.deps.store.transaction({ orgId }, async (tx) => {
      await nameRepositories(tx, orgId, { repositories: [moved], at: minuteOf(3) })
      await takeOverNamed(app.deps, tx, orgId, [moved.externalId])
    })
    const after = await pipeline(4)
    const stored = await app.test.asOwner(
      `select d.id, r.external_id as repository from deployments d
        join repositories r on r.org_id = d.org_id and r.id = d.repository_id
        where d.org_id = $1 and d.source = 'api' order by d.created_at`,
      [orgId],
    )
    expect(stored).toEqual(
      [id, after.id].map((each) => ({ id: each, repository: moved.externalId })),
    )
    // Nothing at the new host has replaced the report to the former one, so it stays live there.
    expect(await live()).toEqual(['a4', 'b1'])
    // Control: with the former host connected, its repository of that name is meant.
    await connect('github', '7')
    await pipeline(5)
    expect(await live()).toEqual(['a4', 'a5'])
  })

  it('replace each other where the pipeline gives the address of the repository', async () => {
    await pipeline(1, { repository: 'https://github.com/acme/shop.git' })
    await host(2)
    expect(await live()).toEqual(['b2'])
    await pipeline(3, { repository: 'git@github.com:Acme/Shop.git' })
    expect(await live()).toEqual(['a3'])
  })

  it.each([
    ['prod', 'production'],
    ['Production', 'production'],
    ['production', 'prod'],
  ])('replace each other in the environments %s and %s', async (ofPipeline, ofHost) => {
    await host(1, { environment: ofHost })
    await pipeline(2, { environment: ofPipeline })
    expect(await live()).toEqual(['a2'])
    await host(3, { environment: ofHost })
    expect(await live()).toEqual(['b3'])
  })

  it('replace each other where the pipeline is first and says prod', async () => {
    await pipeline(1, { environment: 'prod' })
    await host(2)
    expect(await live()).toEqual(['b2'])
  })

  it('are live side by side in two regions', async () => {
    await pipeline(1, { environment: 'prod-eu' })
    await host(2, { environment: 'prod-us' })
    expect(await live()).toEqual(['a1', 'b2'])
  })
})
