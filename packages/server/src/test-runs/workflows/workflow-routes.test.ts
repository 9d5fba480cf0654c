import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../http/admission/actor.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { createOpenCodehost } from '../../integrations/grants/open-provider.ts'
import { openInstalled, type Installed } from '../../integrations/testing/open-installed.ts'
import { createCodehostRunner } from '../runs/codehost-runner.ts'
import { findDispatchRun } from './find-dispatch-run.ts'
import { findDispatchedRun } from '../runs/find-dispatched-run.ts'
import { recordRunEvent } from '../runs/record-run-event.ts'
import { buildHostRun } from '../testing/build-host-run.ts'
import type { DispatchDeps } from '../test-run-deps.ts'
import { createSharedReads } from './share-reads.ts'
import { mountWorkflows } from './workflow-routes.ts'
import { toTestApp, type TestApp } from '../../http/testing/test-app.ts'

const orgId = 'org_01jd2m4x9k0000000000000000'
const deploymentId = 'dep_01jd2m4x9k0000000000000000'
const sha = 'a'.repeat(40)

let installed: Installed
let deps: DispatchDeps
let app: TestApp
let actor: Actor
/** The ids of jobs by their queue. */
let jobs: string[]

beforeAll(async () => {
  installed = await openInstalled(orgId)
  const { test, sandbox } = installed
  const openCodehost = createOpenCodehost(installed.deps)
  deps = {
    store: test.store,
    runner: createCodehostRunner(openCodehost),
    now: () => sandbox.clock.now(),
    emit: async () => {},
    jobs: { enqueue: async (_tx, queue) => void jobs.push(queue) },
  }
  const router = createTestRouter({
    authenticate: () => Promise.resolve(actor),
    resolveOrganization: () =>
      Promise.resolve({ organization: { id: orgId, slug: 'acme', name: 'Acme' }, role: undefined }),
  })
  mountWorkflows(router, { ...deps, openCodehost, shareRead: createSharedReads() })
  app = toTestApp(router.build())
})
beforeEach(async () => {
  await installed.reset()
  jobs = []
  actor = keyOf(null)
  const { test, repository } = installed
  await test.asOwner(`update integrations set scopes = '{actions:read,actions:write}'`)
  const tables = ['idempotency_keys', 'test_runs', 'deployments', 'repositories', 'audit_events']
  for (const table of tables) await test.asOwner(`delete from ${table}`)
  await test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', $2, 'acme/shop')`,
    [orgId, String(repository.id)],
  )
  await test.asOwner(
    `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, state, source,
       created_at, finished_at)
     values ($1, $2, 'rep_1', '1', $3, 'main', 'branch', 'staging', 'success', 'webhook', now(), now())`,
    [orgId, deploymentId, sha],
  )
})
afterAll(() => installed.close())

function keyOf(environmentIds: string[] | null): Actor {
  const common = { orgId, keyId: 'key_1', name: 'ci', schemaIds: null, credentialId: 'key_1' }
  return { type: 'api_key', kind: 'm2m', access: 'write', ...common, environmentIds }
}

const inputs = ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha']
const optional = { description: null, type: 'string', required: false, default: null, options: [] }
type Added = Parameters<Installed['sandbox']['github']['activity']['addWorkflow']>[1]
const addE2e = (more: { readonly [Field in 'inputs' | 'runName']?: Added[Field] } = {}) =>
  installed.sandbox.github.activity.addWorkflow(installed.repository, {
    name: 'E2E',
    file: 'e2e.yml',
    inputs,
    runName: 'e2e ${{ inputs.test_run_id }}',
    ...more,
  })

interface Answer {
  readonly status: number
  readonly replayed: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

async function call(request: string, body?: unknown, key?: string): Promise<Answer> {
  const [method = 'GET', path = ''] = request.split(' ')
  const base = `/organizations/${orgId}/integrations/codehost`
  const answer = await app.request(
    path.startsWith('../') ? `${base}/${path.slice(3)}` : `${base}/workflows${path}`,
    {
      method,
      headers: {
        authorization: 'Bearer x',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  )
  const replayed = answer.headers.get('idempotency-replayed') === 'true'
  return { status: answer.status, replayed, body: await answer.json() }
}

const dispatch = (body: object = {}, key?: string) =>
  call('POST /e2e.yml/dispatch', { ref: 'main', deploymentId, ...body }, key)
const dispatched = () =>
  installed.sandbox.log.list().filter(({ path }) => path.endsWith('/dispatches')).length
const audited = () =>
  installed.test.asOwner('select action, actor, target, detail from audit_events order by sequence')
const hostRuns = () => [...installed.repository.runs.values()]
const testRuns = () =>
  installed.test.asOwner('select id, state, state_reason, external_id from test_runs order by id')
/** As where nobody has granted `contents: read`. */
const forbidFiles = (times: number) => {
  const body = JSON.stringify({ message: 'Resource not accessible by integration' })
  const request = `GET /repositories/${installed.repository.id}/contents/`
  for (let count = 0; count < times; count += 1)
    fail({ kind: 'answer', status: 403, body }, request)
}
const fail = (
  fault: Parameters<Installed['sandbox']['faults']['add']>[0]['fault'],
  request = 'POST /repositories/',
) => installed.sandbox.faults.add({ provider: 'github', request, fault })

describe('dispatchWorkflow', () => {
  it('calls a run as people call its workflow, as soon as that was read', async () => {
    const { id } = addE2e()
    const named = () => installed.test.asOwner('select name from test_runs order by id')
    await call(`POST /${id}/dispatch`, { ref: 'main', deploymentId })
    expect(await named()).toEqual([{ name: String(id) }])
    await call('GET ')
    await call(`POST /${id}/dispatch`, { ref: 'main', deploymentId })
    await call('POST /e2e.yml/dispatch', { ref: 'main', deploymentId })
    expect(await named()).toEqual([{ name: String(id) }, { name: 'E2E' }, { name: 'E2E' }])
  })

  it('starts a workflow that tests a deployment, and says as which run', async () => {
    addE2e()
    const { status, body } = await dispatch({ inputs: { environment: 'mine' } })
    const [run] = hostRuns()
    const [testRun] = await testRuns()
    expect([status, body]).toEqual([
      202,
      {
        workflowId: 'e2e.yml',
        ref: 'main',
        runId: String(run?.id),
        state: 'sent',
        runUrl: expect.stringContaining(String(run?.id)),
        testRunId: testRun?.['id'],
        dispatchId: null,
      },
    ])
    expect(testRun).toMatchObject({ state: 'queued', external_id: String(run?.id) })
    const test_run_id = testRun?.['id']
    expect(run?.inputs).toEqual({
      deployment_id: deploymentId,
      test_run_id,
      environment: 'mine',
      environment_url: '',
      sha,
    })
  })

  it('notes who asks for it, when it is being asked for', async () => {
    addE2e()
    const { body } = await dispatch({ inputs: { environment: 'mine' } })
    expect(await audited()).toEqual([
      {
        action: 'workflow.dispatched',
        actor: { type: 'api_key', id: 'key_1', name: 'ci' },
        target: { type: 'workflow', id: 'e2e.yml', name: 'e2e.yml' },
        detail: {
          repositoryId: String(installed.repository.id),
          ref: 'main',
          inputs: ['environment'],
          testRunId: body.testRunId,
          dispatchId: null,
        },
      },
    ])
    await dispatch({ ref: 'nowhere', deploymentId: undefined })
    expect(await audited()).toHaveLength(2)
    await dispatch({ inputs: { none: 'x' } })
    expect(await audited()).toHaveLength(2)
  })

  it('refuses what the file of the workflow does not take, before anything is sent', async () => {
    const suite = {
      name: 'suite',
      required: true,
      type: 'choice',
      options: ['smoke', 'all'],
    } as const
    addE2e({ inputs: ['sha', suite, { name: 'times', required: true, default: '1' }] })
    const refused = (...pointers: string[]) => ({
      status: 422,
      body: { code: 'validation_failed', errors: pointers.map((pointer) => ({ pointer })) },
    })
    expect(await dispatch({}, 'again')).toMatchObject(refused('/inputs/suite'))
    const given = { suite: 'none', 'a/b~c': '' }
    const wrong = refused('/inputs/suite', '/inputs/a~1b~0c')
    expect(await dispatch({ inputs: given })).toMatchObject(wrong)
    expect(dispatched()).toBe(0)
    expect(await testRuns()).toEqual([])
    const right = { inputs: { suite: 'all' } }
    expect(await dispatch(right, 'other')).toMatchObject({ status: 202, body: { state: 'sent' } })
    expect(dispatched()).toBe(1)
  })

  it('leaves it to the code host where the file cannot be read', async () => {
    addE2e({ inputs: [{ name: 'suite', required: true }] })
    forbidFiles(1)
    expect(await dispatch()).toMatchObject({ body: { code: 'workflow_not_dispatchable' } })
    expect(dispatched()).toBeGreaterThan(0)
  })

  it.each([
    ['the answer is cut off', { kind: 'cut' }, 1],
    ['the answer comes byte by byte', { kind: 'drip', everyMs: 200 }, 1],
    ['the connection is closed before', { kind: 'drop' }, 0],
    ['a 502 comes', { kind: 'answer', status: 502 }, 0],
  ] as const)(
    'takes no second run to find the first when %s, and a repeat starts none',
    async (_what, fault, started) => {
      addE2e()
      if (fault.kind === 'drip') installed.endless.add('/dispatches')
      fail(fault)
      const { status, body } = await dispatch({}, 'once')
      installed.endless.clear()
      expect([status, body.runId]).toEqual([202, null])
      expect(jobs).toEqual(['testRuns.find'])
      expect(await dispatch({}, 'once')).toMatchObject({ status: 202, replayed: true, body })
      await findDispatchedRun(deps, { orgId, runId: body.testRunId })
      installed.sandbox.clock.advance(95_000)
      await findDispatchedRun(deps, { orgId, runId: body.testRunId })
      expect(hostRuns()).toHaveLength(started)
      const [run] = hostRuns()
      expect(await testRuns()).toMatchObject([
        run === undefined
          ? { state: 'unknown', external_id: null }
          : { state: 'queued', external_id: String(run.id) },
      ])
    },
  )

  it('starts one run for a key, also when two requests come at once, and answers what is known', async () => {
    addE2e()
    const both = await Promise.all([dispatch({}, 'twice'), dispatch({}, 'twice')])
    const again = await dispatch({}, 'twice')
    expect(hostRuns()).toHaveLength(1)
    expect(await testRuns()).toHaveLength(1)
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([202]))
    expect(again).toMatchObject({ replayed: true, body: { runId: String(hostRuns()[0]?.id) } })
  })

  it('starts another one for another key, and beside those that follow from the settings', async () => {
    addE2e()
    await dispatch({}, 'one')
    await dispatch({}, 'two')
    await dispatch()
    expect(hostRuns()).toHaveLength(3)
    expect(await testRuns()).toHaveLength(3)
  })

  it.each([
    ['a branch that is not there', { ref: 'nowhere' }, {}, 'ref_not_found'],
    ['a workflow that has no such trigger', {}, { inputs: undefined }, 'workflow_not_dispatchable'],
  ])('refuses %s, and takes the same key again', async (_what, body, workflow, code) => {
    const { activity } = installed.sandbox.github
    if ('inputs' in workflow) {
      activity.addWorkflow(installed.repository, { name: 'E2E', file: 'e2e.yml' })
    } else addE2e()
    expect(await dispatch(body, 'again')).toMatchObject({ body: { code } })
    expect(await dispatch(body, 'again')).toMatchObject({ replayed: false, body: { code } })
    expect(hostRuns()).toEqual([])
  })

  it('takes up what could not be sent when it is asked for once more', async () => {
    addE2e()
    fail({ kind: 'answer', status: 429 })
    expect(await dispatch()).toMatchObject({ status: 424, body: { code: 'provider_error' } })
    expect(jobs).not.toContain('testRuns.dispatch')
    expect(await dispatch({ ref: 'main' })).toMatchObject({ status: 202 })
    expect(await testRuns()).toMatchObject([{ state: 'queued', state_reason: null }])
  })

  it('refuses a workflow that is not there, or is disabled', async () => {
    const code = 'workflow_not_dispatchable'
    expect(await dispatch()).toMatchObject({ status: 409, body: { code } })
    addE2e().state = 'disabled_manually'
    expect(await dispatch()).toMatchObject({ status: 409, body: { code } })
  })

  it('says that nothing was started where the code host cannot be asked', async () => {
    addE2e()
    installed.sandbox.github.tokens.reset()
    fail({ kind: 'answer', status: 503 }, 'POST /app/installations')
    fail({ kind: 'answer', status: 503 }, 'POST /app/installations')
    fail({ kind: 'answer', status: 401 })
    const { status, body } = await dispatch({}, 'again')
    expect([status, body.code]).toEqual([424, 'provider_error'])
    const planned = { state: 'planned', state_reason: 'http_503', external_id: null }
    expect(await testRuns()).toMatchObject([planned])
    expect(await dispatch({}, 'again')).toMatchObject({ status: 202, replayed: false })
    expect(await testRuns()).toMatchObject([{ state: 'queued' }])
    expect(hostRuns()).toHaveLength(1)
  })

  it('refuses without a call where nothing is connected, or has to be connected again', async () => {
    const asked = installed.sandbox.log.list().length
    await installed.test.asOwner(`update integrations set scopes = '{actions:read}'`)
    expect(await dispatch()).toMatchObject({
      status: 409,
      body: {
        code: 'workflow_not_dispatchable',
        detail: expect.stringContaining('grant the missing permission (actions:write)'),
      },
    })
    await installed.test.asOwner(`update integrations set state = 'reauth_required'`)
    expect(await dispatch()).toMatchObject({ body: { code: 'reauth_required' } })
    await installed.test.asOwner('delete from integrations')
    expect(await dispatch()).toMatchObject({ body: { code: 'integration_not_connected' } })
    expect(await call('GET ')).toMatchObject({ body: { code: 'integration_not_connected' } })
    expect(installed.sandbox.log.list()).toHaveLength(asked)
    expect(await testRuns()).toEqual([])
  })

  it('wants to know which repository is meant, where that cannot be told', async () => {
    addE2e({ inputs: [] })
    await installed.test.asOwner(
      `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_2', '2', 'acme/other')`,
      [orgId],
    )
    const nothing = { deploymentId: undefined }
    expect(await dispatch(nothing)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/repositoryId' }] },
    })
    const repositoryId = String(installed.repository.id)
    expect(await dispatch({ ...nothing, repositoryId })).toMatchObject({ status: 202 })
    await call(`GET ?repositoryId=${repositoryId}`)
    expect(await dispatch(nothing)).toMatchObject({ status: 202 })
    expect(await dispatch({ repositoryId: '3' })).toMatchObject({ status: 404 })
  })

  it('is not for a key that does not reach the environment', async () => {
    addE2e()
    actor = keyOf(['env_other'])
    for (const body of [{}, { deploymentId: undefined }]) {
      expect(await dispatch(body)).toMatchObject({ body: { code: 'key_scope_forbidden' } })
    }
    expect(hostRuns()).toEqual([])
  })
})

describe('a dispatch that tests nothing', () => {
  const alone = (body: object = {}, key?: string) =>
    dispatch({ deploymentId: undefined, ...body }, key)
  const shown = async (id: string) => (await call(`GET ../dispatches/${id}`)).body
  const look = (dispatchId: string) => findDispatchRun(deps, { orgId, dispatchId })

  it('has a row of its own, and no test run', async () => {
    addE2e({ inputs: [] })
    const { status, body } = await alone()
    const [run] = hostRuns()
    expect([status, body.state, body.runId, body.testRunId]).toEqual([
      202,
      'sent',
      String(run?.id),
      null,
    ])
    expect(await testRuns()).toEqual([])
    const dispatched = {
      id: body.dispatchId,
      repositoryId: String(installed.repository.id),
      workflowId: 'e2e.yml',
      ref: 'main',
      state: 'sent',
      reason: null,
      runId: String(run?.id),
      runUrl: body.runUrl,
      requestedBy: { type: 'api_key', id: 'key_1', name: 'ci' },
    }
    expect(await shown(body.dispatchId)).toMatchObject(dispatched)
    await alone()
    const { body: first } = await call('GET ../dispatches?limit=1')
    expect(first.items).toHaveLength(1)
    const { body: rest } = await call(`GET ../dispatches?cursor=${first.nextCursor}`)
    expect(rest).toMatchObject({ items: [dispatched], nextCursor: null })
  })

  it('is listed although the code host does not know its repository', async () => {
    addE2e({ inputs: [] })
    const ids = [(await alone()).body.dispatchId, (await alone()).body.dispatchId]
    await installed.test.asOwner('update repositories set external_id = null')
    const { body: page } = await call('GET ../dispatches?limit=1')
    const { body: rest } = await call(`GET ../dispatches?cursor=${page.nextCursor}`)
    const listed = [...page.items, ...rest.items]
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids))
    expect(listed.map(({ repositoryId }) => repositoryId)).toEqual([null, null])
  })

  it.each([
    ['the answer is cut off', { kind: 'cut' }, 1, ['dispatch_id']],
    ['the answer is cut off, and no id is in the title', { kind: 'cut' }, 1, []],
    ['the connection is closed before', { kind: 'drop' }, 0, ['dispatch_id']],
    ['a 502 comes', { kind: 'answer', status: 502 }, 0, []],
  ] as const)(
    'is looked for, and not sent again, when %s',
    async (_what, fault, started, inputs) => {
      addE2e({ inputs, runName: 'clean ${{ inputs.dispatch_id }}' })
      fail(fault)
      const { status, body } = await alone({}, 'once')
      expect([status, body.state, body.runId]).toEqual([202, 'ambiguous', null])
      expect(jobs).toEqual(['testRuns.findDispatch', 'testRuns.followDispatch'])
      expect(await alone({}, 'once')).toMatchObject({ status: 202, replayed: true, body })
      await look(body.dispatchId)
      installed.sandbox.clock.advance(95_000)
      await look(body.dispatchId)
      const [run] = hostRuns()
      expect(hostRuns()).toHaveLength(started)
      expect(await shown(body.dispatchId)).toMatchObject(
        run === undefined
          ? { state: 'ambiguous', reason: 'run_not_found', runId: null }
          : { state: 'found', reason: null, runId: String(run.id), runState: 'queued' },
      )
    },
  )

  it('takes no run that may be another one', async () => {
    const workflow = addE2e({ inputs: [] })
    const { activity, state } = installed.sandbox.github
    const ada = state.accounts.get('ada')
    if (ada === undefined) throw new Error('The seed has lost its account')
    const event = 'workflow_dispatch'
    activity.requestRun(installed.repository, { workflow, event, ref: 'main', actor: ada })
    await dispatch()
    fail({ kind: 'drop' })
    const { body: lost } = await alone()
    await look(lost.dispatchId)
    expect(await shown(lost.dispatchId)).toMatchObject({ state: 'ambiguous', reason: null })
    fail({ kind: 'cut' })
    const { body: cut } = await alone()
    for (const { dispatchId } of [lost, cut]) await look(dispatchId)
    expect(await shown(lost.dispatchId)).toMatchObject({ state: 'ambiguous' })
    expect(await shown(cut.dispatchId)).toMatchObject({ state: 'ambiguous' })
  })

  it('is joined with its run by what the code host tells of it later', async () => {
    addE2e({ inputs: ['dispatch_id'], runName: 'clean ${{ inputs.dispatch_id }}' })
    fail({ kind: 'drop' })
    const { body } = await alone()
    const run = buildHostRun({ correlation: body.dispatchId })
    const repositoryExternalId = String(installed.repository.id)
    const record = () =>
      deps.store.transaction({ orgId }, (tx) =>
        recordRunEvent(deps, tx, { orgId, repositoryExternalId, run }),
      )
    expect([await record(), await record()]).toEqual(['recorded', 'unrelated'])
    expect(await shown(body.dispatchId)).toMatchObject({ state: 'found', runId: run.externalId })
  })

  it('follows its run to the end, whatever comes late', async () => {
    addE2e({ inputs: [] })
    const { body } = await alone()
    const repositoryExternalId = String(installed.repository.id)
    const record = (state: 'queued' | 'running' | 'failed', updatedAt?: Date) =>
      deps.store.transaction({ orgId }, (tx) => {
        const run = buildHostRun({ externalId: body.runId, state, ...(updatedAt && { updatedAt }) })
        return recordRunEvent(deps, tx, { orgId, repositoryExternalId, run })
      })
    const ended = new Date('2026-01-01T12:05:00.000Z')
    expect((await shown(body.dispatchId)).runState).toBeNull()
    expect(await record('running')).toBe('recorded')
    await record('queued')
    expect(await shown(body.dispatchId)).toMatchObject({ runState: 'running', runFinishedAt: null })
    expect(await record('failed', ended)).toBe('recorded')
    await record('running')
    expect(await shown(body.dispatchId)).toMatchObject({
      runState: 'failed',
      runFinishedAt: ended.toISOString(),
    })
  })

  it('knows the end of a run of which it was told before the run was known', async () => {
    addE2e({ inputs: [] })
    fail({ kind: 'cut' })
    const { body } = await alone()
    const externalId = String(hostRuns()[0]?.id)
    const run = buildHostRun({ externalId, state: 'failed' })
    const repositoryExternalId = String(installed.repository.id)
    const record = () =>
      deps.store.transaction({ orgId }, (tx) =>
        recordRunEvent(deps, tx, { orgId, repositoryExternalId, run }),
      )
    expect(await record()).toBe('kept')
    await look(body.dispatchId)
    expect(await shown(body.dispatchId)).toMatchObject({ runId: externalId, runState: 'failed' })
    expect(await installed.test.asOwner('select from test_run_events')).toEqual([])
    expect(await record()).toBe('unrelated')
  })

  it('says why it was refused', async () => {
    addE2e({ inputs: [] })
    expect(await alone({ ref: 'nowhere' })).toMatchObject({ body: { code: 'ref_not_found' } })
    fail({ kind: 'answer', status: 429 })
    expect(await alone()).toMatchObject({ body: { code: 'provider_error' } })
    expect((await call('GET ../dispatches')).body.items).toMatchObject([
      { state: 'refused', reason: 'http_429', runId: null },
      { state: 'refused', reason: 'ref_not_found' },
    ])
  })

  it('is not shown to a key of some environments, or to another organization', async () => {
    addE2e({ inputs: [] })
    const { body } = await alone()
    expect(await call('GET ../dispatches/dsp_01jd2m4x9k0000000000000000')).toMatchObject({
      status: 404,
    })
    actor = keyOf(['env_1'])
    for (const path of ['', `/${body.dispatchId}`]) {
      expect(await call(`GET ../dispatches${path}`)).toMatchObject({ status: 403 })
    }
  })
})

describe('listWorkflows', () => {
  const names = async (query = '') =>
    (await call(`GET ${query}`)).body.items.map(({ name }: { name: string }) => name)
  const asked = () =>
    installed.sandbox.log.list().filter(({ path }) => path.includes('/actions/workflows')).length

  it('lists the workflows of tracked repositories, and asks again only for what is old or named', async () => {
    const workflow = addE2e()
    const { activity } = installed.sandbox.github
    const old = { name: 'Old', file: 'old.yml', state: 'disabled_inactivity' } as const
    activity.addWorkflow(installed.repository, old)
    const repositoryId = String(installed.repository.id)
    expect((await call('GET ')).body.items).toEqual([
      {
        id: String(workflow.id),
        repositoryId,
        name: 'E2E',
        path: '.github/workflows/e2e.yml',
        state: 'active',
        dispatchable: true,
        startableAdvice: null,
        inputs: inputs.map((name) => ({ name, ...optional })),
      },
      expect.objectContaining({
        name: 'Old',
        state: 'disabled_inactivity',
        dispatchable: false,
        startableAdvice: null,
      }),
    ])
    installed.repository.workflows.delete(workflow.id)
    expect(await names()).toEqual(['E2E', 'Old'])
    expect(asked()).toBe(1)
    expect(await names(`?repositoryId=${repositoryId}`)).toEqual(['Old'])
    addE2e()
    installed.sandbox.clock.advance(6 * 60_000)
    expect(await names()).toEqual(['E2E', 'Old'])
    await installed.test.asOwner('update repositories set tracked = false')
    expect(await names()).toEqual([])
  })

  it('learns from a refusal that a workflow cannot be started by hand, and from a start that it can', async () => {
    forbidFiles(20)
    const { sandbox, repository } = installed
    const made = sandbox.github.activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml' })
    expect((await call('GET ')).body.items).toMatchObject([{ dispatchable: true, inputs: null }])
    await dispatch()
    expect((await call('GET ')).body.items).toMatchObject([{ dispatchable: false }])
    repository.workflows.set(made.id, { ...made, inputs: inputs.map((name) => ({ name })) })
    await dispatch()
    expect((await call('GET ')).body.items).toMatchObject([{ dispatchable: true }])
  })

  it('reads from its file whether a workflow is started by hand, and what it takes', async () => {
    const { activity } = installed.sandbox.github
    activity.addWorkflow(installed.repository, { name: 'CI', file: 'ci.yml' })
    const suite = { name: 'suite', description: 'Which', type: 'choice', required: true } as const
    addE2e({ inputs: ['sha', { ...suite, default: 'smoke', options: ['smoke', 'all'] }] })
    expect((await call('GET ')).body.items).toMatchObject([
      {
        name: 'CI',
        dispatchable: false,
        startableAdvice: 'add `workflow_dispatch` to its triggers',
        inputs: [],
      },
      {
        name: 'E2E',
        dispatchable: true,
        inputs: [
          { name: 'sha', ...optional },
          { ...suite, default: 'smoke', options: ['smoke', 'all'] },
        ],
      },
    ])
  })

  it('asks for files that have not changed by their ETag, and for none once half of the rate limit is used', async () => {
    const { id, name, path, state } = addE2e()
    const files = () =>
      installed.sandbox.log.list().filter(({ path }) => path.includes('/contents/'))
    const list = () => call(`GET ?repositoryId=${installed.repository.id}`)
    await list()
    await list()
    expect(files().map(({ status }) => status)).toEqual([200, 304])
    const headers = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '2000',
      'x-ratelimit-reset': String(Math.ceil(installed.sandbox.clock.now().getTime() / 1000) + 600),
    }
    const body = JSON.stringify({ total_count: 1, workflows: [{ id, name, path, state }] })
    fail({ kind: 'answer', status: 200, headers, body }, 'GET /repositories/')
    const { body: listed } = await list()
    expect(files()).toHaveLength(2)
    expect(listed.items).toMatchObject([{ inputs: [{ name: 'deployment_id' }, {}, {}, {}, {}] }])
  })

  it('shows the others when one repository is not to be seen any more', async () => {
    addE2e()
    await installed.test.asOwner(
      `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_2', '2', 'acme/other')`,
      [orgId],
    )
    expect(await names()).toEqual(['E2E'])
  })

  it('says that the code host is in trouble', async () => {
    fail({ kind: 'answer', status: 503 }, 'GET /repositories/')
    expect(await call('GET ')).toMatchObject({ status: 424, body: { code: 'provider_error' } })
  })
})
