import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import { recordCodehostEvent } from './record-codehost-event.ts'
import {
  at,
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
  app.emitted.length = 0
})

const record = (event: CodehostEvent) =>
  recordCodehostEvent(app.deps, { orgId: organization.orgId, event, source: 'webhook' })
const recordAll = async (...events: CodehostEvent[]) => {
  const outcomes: string[] = []
  for (const event of events) outcomes.push((await record(event)).outcome)
  return outcomes
}
const stored = async (externalId: string) => {
  const [row] = await app.test.asOwner(
    'select * from deployments where org_id = $1 and external_id = $2',
    [organization.orgId, externalId],
  )
  return row ?? {}
}
const states = async () =>
  Object.fromEntries(
    (
      await app.test.asOwner<{ external_id: string; state: string }>(
        'select external_id, state from deployments where org_id = $1 order by 1',
        [organization.orgId],
      )
    ).map(({ external_id, state }) => [external_id, state]),
  )

describe('a report of a deployment', () => {
  it('makes it, maps its environment and is recorded once', async () => {
    const event = created(buildDeployment(1))
    expect(await recordAll(event, event)).toEqual(['applied', 'duplicate'])
    expect(await stored('1001')).toMatchObject({
      state: 'pending',
      environment_id: organization.production,
      ref_kind: 'branch',
      branch: 'main',
      relation: 'first',
    })
  })

  it('makes it from the embedded object when a status comes first', async () => {
    const deployment = buildDeployment(1)
    const status = reported(
      deployment,
      buildStatus(2, 'success', { environmentUrl: 'https://a.b' }),
    )
    expect(await recordAll(status, created(deployment), status)).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ])
    expect(await stored('1001')).toMatchObject({ state: 'success', url: 'https://a.b' })
  })

  it('that is older changes the times, and not the state', async () => {
    const deployment = buildDeployment(1)
    expect(
      await recordAll(
        reported(deployment, buildStatus(5, 'success')),
        reported(deployment, buildStatus(3, 'in_progress')),
      ),
    ).toEqual(['applied', 'stale'])
    expect(await stored('1001')).toMatchObject({
      state: 'success',
      started_at: at(3),
      finished_at: at(5),
    })
  })

  it('in a state that is not known changes nothing, and says so', async () => {
    const deployment = buildDeployment(1)
    await record(reported(deployment, buildStatus(2, 'queued')))
    expect(await record(reported(deployment, buildStatus(3, 'unknown')))).toMatchObject({
      outcome: 'ignored',
      reason: expect.stringContaining('doesn’t know the reported state'),
    })
    expect(await stored('1001')).toMatchObject({ state: 'queued' })
  })

  it('of what is no number or no deployment is ignored with a reason', async () => {
    const status = { ...buildStatus(1, 'success'), externalId: 'abc' }
    expect(await record(reported(buildDeployment(1), status))).toMatchObject({ outcome: 'ignored' })
    expect(await record({ type: 'ping' })).toMatchObject({ outcome: 'ignored' })
    expect(await states()).toEqual({})
  })

  it('can move it to another environment', async () => {
    const deployment = buildDeployment(1)
    await record(created(deployment))
    await record(reported(deployment, buildStatus(2, 'success', { environment: 'Staging' })))
    expect(await stored('1001')).toMatchObject({
      host_environment: 'Staging',
      environment_id: organization.staging,
    })
  })
})

describe('a repository', () => {
  it('is renamed by its number, and not back by what is older', async () => {
    const renamed = { ...shop, fullName: 'acme/store' }
    await recordAll(created(buildDeployment(1)), created(buildDeployment(9), renamed))
    await record(created(buildDeployment(5)))
    expect(
      await app.test.asOwner('select full_name from repositories where org_id = $1', [
        organization.orgId,
      ]),
    ).toEqual([{ full_name: 'acme/store' }])
  })

  it('that is not tracked is left out, with the reason', async () => {
    await record(created(buildDeployment(1)))
    await app.test.asOwner('update repositories set tracked = false where org_id = $1', [
      organization.orgId,
    ])
    expect(await record(created(buildDeployment(2)))).toEqual({
      outcome: 'ignored',
      reason: 'The repository acme/shop is not tracked.',
    })
  })
})

describe('an environment', () => {
  it('that a rule leaves out is recorded as such, and its deployments are not', async () => {
    organization = await app.addOrganization({
      codehost: { environmentMap: [{ pattern: 'preview/*', environmentId: null }, 'nonsense'] },
    })
    const preview = buildDeployment(1, { environment: 'preview/42' })
    expect(await record(created(preview))).toEqual({
      outcome: 'ignored',
      reason: 'The rule "preview/*" ignores the environment "preview/42".',
    })
    expect(await states()).toEqual({})
    expect(
      await app.test.asOwner('select name, ignored from host_environments where org_id = $1', [
        organization.orgId,
      ]),
    ).toEqual([{ name: 'preview/42', ignored: true }])
  })
})

describe('a success', () => {
  const [first, second] = [buildDeployment(1), buildDeployment(2)]

  it('takes the place of the one before it, and tells of both', async () => {
    await record(reported(first, buildStatus(3, 'success')))
    app.emitted.length = 0
    await record(reported(second, buildStatus(4, 'success')))
    expect(await states()).toEqual({ 1001: 'superseded', 1002: 'success' })
    const [old, live] = [await stored('1001'), await stored('1002')]
    expect(old).toMatchObject({ superseded_by: live['id'] })
    expect(live).toMatchObject({ previous_successful_id: old['id'] })
    expect(app.emitted.map(({ event, id }) => `${event} ${id}`).toSorted()).toEqual(
      [
        `deployment.changed ${live['id']}`,
        `deployment.changed ${old['id']}`,
        `deployment.succeeded ${live['id']}`,
      ].toSorted(),
    )
  })

  it.each([
    ['a newer one', () => reported(second, buildStatus(4, 'success'))],
    ['the news of its end', () => reported(first, buildStatus(4, 'inactive'))],
  ])(
    'that comes after %s tells that it was live, so that it has tests or a row that says why not',
    async (_, later) => {
      await record(later())
      app.emitted.length = 0
      await record(reported(first, buildStatus(3, 'success')))
      const { id, state } = await stored('1001')
      expect(state).toBe('superseded')
      const succeeded = app.emitted.filter(({ event }) => event === 'deployment.succeeded')
      expect(succeeded.map((told) => told.id)).toEqual([id])
    },
  )

  it('of another task, environment or repository takes no place', async () => {
    await recordAll(
      reported(first, buildStatus(3, 'success')),
      reported(buildDeployment(2, { task: 'migrate' }), buildStatus(4, 'success')),
      reported(buildDeployment(3, { environment: 'staging' }), buildStatus(5, 'success')),
      reported(buildDeployment(4), buildStatus(6, 'success'), { ...shop, externalId: '2' }),
    )
    expect(new Set(Object.values(await states()))).toEqual(new Set(['success']))
  })

  it('that is reported as inactive is superseded', async () => {
    await recordAll(
      reported(first, buildStatus(3, 'success')),
      reported(first, buildStatus(4, 'inactive')),
    )
    expect(await stored('1001')).toMatchObject({ state: 'superseded', finished_at: at(3) })
  })

  it('gives its place back when it turns out to be a failure', async () => {
    await recordAll(
      reported(first, buildStatus(3, 'success')),
      reported(second, buildStatus(4, 'success')),
      reported(second, buildStatus(5, 'failure')),
    )
    expect(await states()).toEqual({ 1001: 'success', 1002: 'failure' })
    expect(await stored('1001')).toMatchObject({ superseded_by: null })
  })

  it('keeps the configuration that its environment had then', async () => {
    const { orgId, production } = organization
    const version = `insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes,
      open_values, secret_values, created_at) values ($1, $2, $3, $4, $5, 'write', '{}', '[]', '{}', '{}', $6)`
    await app.test.asOwner(
      `insert into config_schemas (org_id, id, name, definition, secret_defaults) values ($1, 'sch_1', 's', '{}', '{}')`,
      [orgId],
    )
    await app.test.asOwner(
      `insert into current_values (org_id, schema_id, environment_id, version, open_values, secret_values)
        values ($1, 'sch_1', $2, 2, '{}', '{}')`,
      [orgId, production],
    )
    await app.test.asOwner(version, [orgId, 'sch_1', production, 1, `${orgId}1`, at(0)])
    await app.test.asOwner(version, [orgId, 'sch_1', production, 2, `${orgId}2`, at(60)])
    await record(reported(first, buildStatus(3, 'success')))
    expect(await stored('1001')).toMatchObject({
      config_versions: [{ schemaId: 'sch_1', version: 1 }],
    })
  })
})

describe('the workflow that made a deployment', () => {
  it('is kept as soon as an event names it, and stays when another one does not', async () => {
    const storedAfter = async (event: CodehostEvent) => {
      await record(event)
      return stored('1001')
    }
    const named = buildDeployment(1, { workflowId: '55' })
    const unnamed = buildDeployment(1)
    const [success, inactive] = [buildStatus(1, 'success'), buildStatus(2, 'inactive')]
    expect(await storedAfter(created(unnamed))).toMatchObject({ workflow_id: null })
    expect(await storedAfter(reported(named, success))).toMatchObject({ workflow_id: '55' })
    expect(await storedAfter(reported(unnamed, inactive))).toMatchObject({ workflow_id: '55' })
  })
})

describe('issue keys', () => {
  it('are found in the branch, the payload and the message, with where they were', async () => {
    await record(
      created(
        buildDeployment(1, {
          ref: 'feature/abc-7-login',
          payloadText: '{"issue":"WEB-2","hash":"SHA-256"}',
          headCommitMessage: 'ABC-9 Add login',
        }),
      ),
    )
    const rows = await app.test.asOwner<{ key: string; evidence: { source: string }[] }>(
      'select key, evidence from deployment_issues where org_id = $1 order by key',
      [organization.orgId],
    )
    expect(rows.map(({ key, evidence }) => `${key} ${evidence[0]?.source}`)).toEqual([
      'ABC-7 branch',
      'ABC-9 commit',
      'WEB-2 payload',
    ])
  })
})

describe('a report of a deployment that is older than deployments are kept', () => {
  const keptMs = 30 * 86_400_000
  const recordAt = (event: CodehostEvent, source: 'webhook' | 'sync' = 'webhook') => {
    const now = () => new Date(at(5).getTime() + keptMs)
    const deps = { ...app.deps, now, deploymentsKeptMs: keptMs }
    return recordCodehostEvent(deps, { orgId: organization.orgId, event, source })
  }

  it('does not store it anew, to the second, nor the environment that it names', async () => {
    const [old, young] = [buildDeployment(4, { environment: 'former' }), buildDeployment(5)]
    for (const source of ['webhook', 'sync'] as const)
      for (const event of [created(old), reported(old, buildStatus(6, 'success'))])
        expect(await recordAt(event, source)).toEqual({
          outcome: 'ignored',
          reason: 'The deployment is older than this server keeps deployments.',
        })
    expect((await recordAt(created(young))).outcome).toBe('applied')
    expect(await states()).toEqual({ 1005: 'pending' })
    const environments = await app.test.asOwner(
      'select name from host_environments where org_id = $1',
      [organization.orgId],
    )
    expect(environments).toEqual([{ name: 'production' }])
    expect(app.emitted.map(({ event }) => event)).toEqual(['deployment.changed'])
  })

  it('still changes one that is stored', async () => {
    await record(created(buildDeployment(1)))
    const late = reported(buildDeployment(1), buildStatus(6, 'success'))
    expect((await recordAt(late)).outcome).toBe('applied')
    expect(await states()).toEqual({ 1001: 'success' })
  })
})

describe('a deployment whose base was deleted', () => {
  it('keeps its relation and its commits when it is reported on again', async () => {
    const [first, second] = [buildDeployment(1), buildDeployment(2)]
    await recordAll(created(first), reported(first, buildStatus(1, 'success')))
    await recordAll(created(second), reported(second, buildStatus(2, 'success')))
    const range = { base: first.sha, head: second.sha, status: 'ahead', total: 1, truncated: false }
    await app.test.asOwner(
      `update deployments set relation = 'forward', range = $2 where org_id = $1 and external_id = '1002'`,
      [organization.orgId, JSON.stringify(range)],
    )
    await app.test.asOwner(`delete from deployments where org_id = $1 and external_id = '1001'`, [
      organization.orgId,
    ])
    expect((await record(reported(second, buildStatus(3, 'inactive')))).outcome).toBe('applied')
    expect(await stored('1002')).toMatchObject({ relation: 'forward', range })
  })
})
