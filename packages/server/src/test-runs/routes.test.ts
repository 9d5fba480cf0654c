import { Problem, type Role } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../http/admission/actor.ts'
import { defaultRateLimits } from '../http/admission/rate-classes.ts'
import { createRateLimiter, type RateLimiter } from '../http/admission/rate-limit.ts'
import { createTestRouter } from '../http/testing/test-router.ts'
import type { CodehostRun } from '../providers/codehosts/run.ts'
import { recordRunEvent } from './runs/record-run-event.ts'
import { createReportParser } from './reports/report-parser.ts'
import { mountTestRuns } from './routes.ts'
import { buildHostRun } from './testing/build-host-run.ts'
import { openTestRuns, type TestRunApp } from './testing/open-test-runs.ts'
import { toTestApp, type TestApp } from '../http/testing/test-app.ts'

let runs: TestRunApp
let app: TestApp
/** Refuses an address after three bad credentials. */
let guardedApp: TestApp

const key = (environmentIds: string[] | null, kind: 'm2m' | 'b2m' = 'm2m'): Actor => ({
  type: 'api_key',
  orgId: runs.orgId,
  keyId: 'key_1',
  kind,
  access: 'write',
  name: 'ci',
  environmentIds,
  schemaIds: null,
  credentialId: 'key_1',
})
const user: Actor = {
  type: 'user',
  userId: 'usr_1',
  name: 'ada',
  email: 'ada@example.com',
  via: 'token',
  credentialId: 'pat_1',
}

beforeAll(async () => {
  runs = await openTestRuns()
  const actors: Record<string, readonly [Actor, string, Role?]> = {
    m2m: [key(null), runs.orgId],
    restricted: [key(['env_other']), runs.orgId],
    b2m: [key(null, 'b2m'), runs.orgId],
    viewer: [{ ...user, userId: 'usr_2' }, runs.orgId, 'viewer'],
    developer: [{ ...user }, runs.orgId, 'developer'],
    stranger: [{ ...user, userId: 'usr_3' }, 'org_other', 'owner'],
  }
  const authenticate = ({ authorization }: { readonly authorization: string | undefined }) => {
    const known = actors[authorization?.replace('Bearer ', '') ?? '']
    if (known === undefined) throw new Problem('invalid_credentials', 'Nobody is called so.')
    return Promise.resolve(known[0])
  }
  const resolveOrganization = (actor: Actor, ref: string) => {
    const known = Object.values(actors).find(([other]) => other === actor)
    if (known?.[1] !== ref) return Promise.resolve(undefined)
    return Promise.resolve({
      organization: { id: ref, slug: 'acme', name: 'Acme' },
      role: known[2],
    })
  }
  const deps = {
    ...runs.deps,
    store: runs.test.store,
    reports: createReportParser(),
    authenticate,
    resolveOrganization,
    findOrganizationId: (ref: string) => Promise.resolve(ref === runs.orgId ? ref : undefined),
    // The token spells out its claims. The tests of the verification cover real ones.
    pipelineTokens: {
      isOurs: (token: string) => token.startsWith('oidc:'),
      verify: (token: string) => {
        const [, repositoryExternalId = '', runId = '', attempt = ''] = token.split(':')
        const provider = token.endsWith(':other') ? 'jira' : 'github'
        return Promise.resolve({
          provider,
          repositoryExternalId,
          runId,
          attempt: Number(attempt),
          ...(token.endsWith(':unprotected') && { isRefProtected: false }),
        })
      },
    },
  }
  const openApp = (limiter: RateLimiter) => {
    const router = createTestRouter({ authenticate, resolveOrganization, limiter })
    mountTestRuns(router, deps)
    return toTestApp(router.build())
  }
  app = openApp(createRateLimiter('off'))
  const invalidCredentials = { perSecond: 0.001, burst: 3 }
  guardedApp = openApp(createRateLimiter({ ...defaultRateLimits, invalidCredentials }))
})
afterAll(() => runs.close())

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

async function call(
  as: string | undefined,
  request: string,
  { body, type = 'application/json' }: { body?: unknown; type?: string } = {},
): Promise<Answer> {
  const [method = 'GET', path = ''] = request.split(' ')
  const answer = await app.request(`/organizations/${runs.orgId}${path}`, {
    method,
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const xml = 'application/xml'
const junit = (...failed: boolean[]) =>
  `<testsuite name="s">${failed.map((is, n) => `<testcase name="t${n}">${is ? '<failure/>' : ''}</testcase>`).join('')}</testsuite>`

async function create(body: object = {}): Promise<string> {
  const { body: run } = await call('m2m', 'POST /test-runs', {
    body: { name: 'e2e', environment: 'Staging', ...body },
  })
  return run.id
}

/** A run that the code host has started. */
async function dispatched(): Promise<{ id: string; externalId: string }> {
  await runs.test.asOwner('delete from deployments')
  runs.passMs(60_000)
  await runs.deploy()
  await runs.work()
  const [run] = await runs.runs().then((all) => all.filter(({ ruleKey }) => ruleKey !== null))
  return { id: run?.id ?? '', externalId: run?.externalId ?? '' }
}

/** Has the code host report how an attempt of a run stands. */
const tell = (externalId: string, attempt: number, state: CodehostRun['state']) =>
  runs.test.store.transaction({ orgId: runs.orgId }, (tx) =>
    recordRunEvent(runs.deps, tx, {
      orgId: runs.orgId,
      repositoryExternalId: '42',
      run: buildHostRun({ externalId, attempt, state }),
    }),
  )

describe('test runs', () => {
  it('are recorded once for an externalId, changed, shown and listed newest first', async () => {
    const id = await create({ externalId: 'x1' })
    expect(await create({ externalId: 'x1' })).toBe(id)
    const body = { state: 'passed', passed: 3, durationMs: 1200 }
    const changed = await call('developer', `PATCH /test-runs/${id}`, { body })
    expect(changed).toMatchObject({ status: 200, body: { state: 'passed', passed: 3 } })
    const behind = await call('m2m', `PATCH /test-runs/${id}`, { body: { state: 'running' } })
    expect(behind.body.state).toBe('passed')
    runs.passMs(1000)
    const newer = await create()
    const page = await call('viewer', 'GET /test-runs?limit=1')
    expect(page.body.items).toMatchObject([{ id: newer }])
    const rest = await call('viewer', `GET /test-runs?limit=1&cursor=${page.body.nextCursor}`)
    expect(rest.body).toMatchObject({ items: [{ id }], nextCursor: null })
    expect((await call('viewer', 'GET /test-runs?state=passed')).body.items).toMatchObject([{ id }])
    expect((await call('viewer', `GET /test-runs/${id}`)).body.environmentId).toBe(
      runs.environmentId,
    )
  })

  it('are listed of one repository in one environment, where two deploy to it', async () => {
    const environmentId = (await call('viewer', `GET /test-runs/${await create()}`)).body
      .environmentId
    const [shop, other] = [await runs.deploy(), await runs.deploy()]
    await runs.test.asOwner(
      `with of as (insert into repositories (org_id, id, full_name) values ($1, 'rep_other', 'Acme/Other'))
        update deployments set repository_id = 'rep_other' where id = $2`,
      [runs.orgId, other],
    )
    const ofShop = await create({ deploymentId: shop, environment: undefined })
    const ofOther = await create({ deploymentId: other, environment: undefined })
    const [row] = await runs.test.asOwner<{ name: string }>(
      `select full_name as name from repositories where id = 'rep_1'`,
    )
    const list = async (query: string) =>
      (
        await call('viewer', `GET /test-runs?environmentId=${environmentId}&${query}`)
      ).body.items.map(({ id }: { id: string }) => id)
    expect(await list('')).toEqual(expect.arrayContaining([ofShop, ofOther]))
    const inShop = await list(`repository=${row?.name}`)
    expect(inShop).toContain(ofShop)
    expect(inShop).not.toContain(ofOther)
    expect(await list('repository=acme/other')).toEqual([ofOther])
    expect(await list('repository=acme/other&state=passed')).toEqual([])
    expect(await list('repository=acme/none')).toEqual([])
  })

  it('are of environments and deployments that exist', async () => {
    const unknown = await call('m2m', 'POST /test-runs', { body: { name: 'e', environment: 'no' } })
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ pointer: '/environment' }] } })
    const deploymentId = 'dep_01jd2m4x9k0000000000000000'
    const absent = await call('m2m', 'POST /test-runs', { body: { name: 'e', deploymentId } })
    expect(absent.status).toBe(404)
  })

  it('are hidden from a key of other environments, and from strangers', async () => {
    const id = await create()
    expect((await call('restricted', `GET /test-runs/${id}`)).body.code).toBe('key_scope_forbidden')
    expect((await call('restricted', 'GET /test-runs')).body.items).toEqual([])
    expect((await call('stranger', `GET /test-runs/${id}`)).status).toBe(404)
    const body = { state: 'failed' }
    expect((await call('restricted', `PATCH /test-runs/${id}`, { body })).status).toBe(403)
    expect((await call('viewer', `PATCH /test-runs/${id}`, { body })).status).toBe(403)
  })
})

describe('a report', () => {
  it('counts once for the same bytes; shards add up; a shard that is sent again is replaced', async () => {
    const id = await create()
    const send = (shard: string, body: string) =>
      call('m2m', `POST /test-runs/${id}/report?shard=${shard}`, { body, type: xml })
    expect((await send('1', junit(false, false))).body).toMatchObject({
      state: 'passed',
      passed: 2,
    })
    const told = runs.events.length
    runs.passMs(1000)
    expect((await send('1', junit(false, false))).body).toMatchObject({ passed: 2 })
    expect(runs.events.length).toBe(told)
    expect((await send('2', junit(true))).body).toMatchObject({
      state: 'failed',
      passed: 2,
      failed: 1,
    })
    expect((await send('2', junit(false))).body).toMatchObject({
      state: 'passed',
      passed: 3,
      failed: 0,
    })
    const stored = await runs.test.asOwner('select from test_results where run_id = $1', [id])
    expect(stored).toHaveLength(3)
  })

  it('without a shard is a part of its own, and once', async () => {
    const id = await create()
    const ctrf = { results: { tests: [{ name: 'a', status: 'passed', duration: 1 }] } }
    await call('m2m', `POST /test-runs/${id}/report`, { body: ctrf })
    await call('m2m', `POST /test-runs/${id}/report`, { body: ctrf })
    const { body } = await call('m2m', `POST /test-runs/${id}/report`, {
      body: junit(false),
      type: xml,
    })
    expect(body).toMatchObject({ passed: 2 })
  })

  it('is refused when its address has sent many bad credentials, like everything else', async () => {
    const id = await create()
    const statusOf = async (as: string) => {
      const path = `/organizations/${runs.orgId}/test-runs/${id}/report`
      const headers = { authorization: `Bearer ${as}`, 'content-type': xml }
      const answer = await guardedApp.request(path, { method: 'POST', headers, body: junit(false) })
      return answer.status
    }
    const statuses: number[] = []
    for (let i = 0; i < 4; i += 1) statuses.push(await statusOf('nobody'))
    expect(statuses).toEqual([401, 401, 401, 429])
    expect(await statusOf('oidc:99:77:1')).toBe(429)
    expect(await statusOf('m2m')).toBe(200)
  })

  it('that is bad is refused with one place, and nothing of it is stored but that it is missing', async () => {
    const id = await create()
    const bad = [
      { body: '{', type: 'application/json' },
      { body: { results: { tests: ['passed'] } }, type: 'application/json' },
      { body: `<!DOCTYPE a [<!ENTITY x "y">]>${junit(false)}`, type: xml },
      { body: '<testsuite>', type: xml },
      { body: '<testsuite>'.repeat(100_000), type: 'text/xml' },
    ]
    for (const report of bad) {
      const answer = await call('m2m', `POST /test-runs/${id}/report`, report)
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_report' } })
      expect(answer.body.errors).toHaveLength(1)
    }
    const plain = await call('m2m', `POST /test-runs/${id}/report`, {
      body: 'a',
      type: 'text/plain',
    })
    expect(plain.status).toBe(415)
    expect(await runs.test.asOwner('select from test_results where run_id = $1', [id])).toEqual([])
    const { body } = await call('viewer', `GET /test-runs/${id}`)
    expect(body).toMatchObject({ state: 'errored', stateReason: 'report_missing' })
    expect(body.warnings[0]).toMatch(/^A report is missing from the result: /)
    expect(body.warnings.at(-1)).toBe('1 more of the reports are missing.')
  })

  describe('of a run that is not whole', () => {
    const send = (id: string, query: string, body: string = junit(false)) =>
      call('m2m', `POST /test-runs/${id}/report?${query}`, { body, type: xml })

    it('does not let it pass while a part is refused, whatever its workflow says, and does when it is mended', async () => {
      const { id, externalId } = await dispatched()
      const ofRun = (query: string, body?: string) => send(id, query, body)
      expect((await ofRun('shard=a')).body.state).toBe('passed')
      expect((await ofRun('shard=b', '<testsuite>')).status).toBe(422)
      await tell(externalId, 1, 'passed')
      const { body } = await call('viewer', `GET /test-runs/${id}`)
      expect(body).toMatchObject({ state: 'errored', stateReason: 'report_missing', passed: 1 })
      expect(body.warnings).toEqual([
        expect.stringMatching(/^The report b is missing from the result: .*well-formed/),
      ])
      expect((await ofRun('shard=b')).body).toMatchObject({
        state: 'passed',
        passed: 2,
        warnings: [],
      })
    })

    it('does not let it pass while its sender has not sent all, nor when it says that it cannot', async () => {
      const id = await create()
      const states = []
      for (const shard of ['a', 'b', 'c']) {
        states.push((await send(id, `parts=3&shard=${shard}`)).body.state)
      }
      expect(states).toEqual(['running', 'running', 'passed'])
      // Another job of the run begins, and ends without its second part.
      expect((await send(id, 'parts=2&shard=other')).body.state).toBe('running')
      const missing = encodeURIComponent('It is larger than 20 MiB.')
      const ended = await send(id, `parts=2&shard=last&missing=${missing}`, '')
      expect(ended.body).toMatchObject({ state: 'errored', passed: 4 })
      expect(ended.body.warnings).toEqual([
        'The report last is missing from the result: It is larger than 20 MiB.',
      ])
      expect((await send(id, 'parts=2&shard=last')).body.state).toBe('passed')
    })

    it('does not let it pass when a part is larger than may be sent', async () => {
      const id = await create()
      const large = await send(id, 'shard=a', `<testsuite/>${' '.repeat(20 * 1024 * 1024)}`)
      expect(large.status).toBe(413)
      const { body } = await call('viewer', `GET /test-runs/${id}`)
      expect(body.state).toBe('errored')
    })
  })

  it('counts repeated tests each, and says so, or the last of them where they are retries', async () => {
    const id = await create()
    const tries = ['<failure/>', '<failure/>', '']
      .map((inside) => `<testcase name="pays">${inside}</testcase>`)
      .join('')
    const send = (query: string) =>
      call('m2m', `POST /test-runs/${id}/report?shard=a${query}`, {
        body: `<testsuite name="s" failures="2">${tries}<testcase name="ships"/></testsuite>`,
        type: xml,
      })
    const each = (await send('')).body
    expect(each).toMatchObject({ state: 'failed', passed: 2, failed: 2, flaky: 0 })
    expect(each.warnings).toEqual([expect.stringContaining('1 test is in a report several times')])
    expect(each.warnings[0]).toContain('--repeats retries')
    expect((await send('&repeats=retries')).body).toMatchObject({
      state: 'passed',
      passed: 2,
      failed: 0,
      flaky: 1,
      warnings: [],
    })
  })

  it('is taken from those who may report a run, and from nobody else', async () => {
    const id = await create()
    const send = (as: string | undefined) =>
      call(as, `POST /test-runs/${id}/report`, { body: junit(false), type: xml })
    const refused = await Promise.all(
      [undefined, 'nobody', 'b2m', 'viewer', 'restricted', 'stranger'].map(send),
    )
    expect(refused.map(({ body }) => body.code)).toEqual([
      'missing_credentials',
      'invalid_credentials',
      'key_kind_forbidden',
      'role_forbidden',
      'key_scope_forbidden',
      'not_found',
    ])
    expect(await runs.test.asOwner('select from test_reports where run_id = $1', [id])).toEqual([])
    expect((await send('developer')).status).toBe(200)
  })

  it('is taken from the pipeline of the very run and attempt, and from no other', async () => {
    const { id, externalId } = await dispatched()
    const send = (token: string, run = id) =>
      call(token, `POST /test-runs/${run}/report`, { body: junit(false), type: xml })
    const foreign = [
      `oidc:43:${externalId}:1`,
      `oidc:42:1${externalId}:1`,
      `oidc:42:${externalId}:2`,
      `oidc:42:${externalId}:1:other`,
    ]
    for (const token of foreign) {
      expect(await send(token)).toMatchObject({
        status: 401,
        body: { code: 'invalid_credentials' },
      })
    }
    const own = `oidc:42:${externalId}:1`
    expect((await send(own, 'run_01jd2m4x9k0000000000000000')).status).toBe(401)
    expect((await send(own, await create())).status).toBe(401)
    expect(await runs.test.asOwner('select from test_reports where run_id = $1', [id])).toEqual([])
    expect(await send(own)).toMatchObject({ status: 200, body: { state: 'passed', passed: 1 } })
  })

  it('of a protected environment is taken from the pipeline of a protected ref alone', async () => {
    const { id, externalId } = await dispatched()
    const send = (token: string) =>
      call(token, `POST /test-runs/${id}/report`, { body: junit(false), type: xml })
    const open = `oidc:42:${externalId}:1:unprotected`
    await runs.test.asOwner('update environments set confirm_changes = true')
    expect(await send(open)).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials', detail: expect.stringContaining('isn’t. Protect') },
    })
    // Of a run that is not its own it learns nothing.
    const foreign = await send(`oidc:42:1${externalId}:1:unprotected`)
    expect(foreign.body.detail).toContain('belongs to another run')
    expect(await send(`oidc:42:${externalId}:1`)).toMatchObject({ status: 200 })
    await runs.test.asOwner('update environments set confirm_changes = false, approvals = 1')
    expect(await send(open)).toMatchObject({ status: 401 })
    await runs.test.asOwner('update environments set approvals = 0')
    expect(await send(open)).toMatchObject({ status: 200 })
  })

  it('shows a test as flaky that passes on the next attempt, and one that contradicts its workflow', async () => {
    const { id, externalId } = await dispatched()
    const send = async (attempt: number, body: string) =>
      (
        await call(`oidc:42:${externalId}:${attempt}`, `POST /test-runs/${id}/report`, {
          body,
          type: xml,
        })
      ).body
    await tell(externalId, 1, 'failed')
    expect(await send(1, junit(true, false))).toMatchObject({ state: 'failed', flaky: 0 })
    await tell(externalId, 2, 'failed')
    const again = await send(2, junit(false, false))
    expect(again).toMatchObject({ id, attempt: 2, state: 'failed', passed: 2, failed: 0, flaky: 1 })
    expect(again.warnings).toEqual([expect.stringContaining('The report passed but')])
  })
})
