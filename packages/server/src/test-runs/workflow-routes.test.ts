import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../http/actor.ts'
import { createTestRouter } from '../http/testing/test-router.ts'
import { createOpenCodehost } from '../integrations/open-codehost.ts'
import { openInstalled, type Installed } from '../integrations/testing/open-installed.ts'
import { createCodehostRunner } from './codehost-runner.ts'
import { findDispatchedRun } from './find-dispatched-run.ts'
import type { DispatchDeps } from './test-run-deps.ts'
import { mountWorkflows } from './workflow-routes.ts'

const orgId = 'org_01jd2m4x9k0000000000000000'
const deploymentId = 'dep_01jd2m4x9k0000000000000000'
const sha = 'a'.repeat(40)

let installed: Installed
let deps: DispatchDeps
let app: ReturnType<ReturnType<typeof createTestRouter>['build']>
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
  mountWorkflows(router, { ...deps, openCodehost })
  app = router.build()
})
beforeEach(async () => {
  await installed.reset()
  jobs = []
  actor = keyOf(null)
  const { test, repository } = installed
  for (const table of ['idempotency_keys', 'test_runs', 'deployments', 'repositories']) {
    await test.asOwner(`delete from ${table}`)
  }
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
  return { type: 'api_key', kind: 'm2m', ...common, environmentIds }
}

const inputs = ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha']
const addE2e = (more: { readonly inputs?: readonly string[]; readonly runName?: string } = {}) =>
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
  const answer = await app.request(
    `/organizations/${orgId}/integrations/codehost/workflows${path}`,
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
const hostRuns = () => [...installed.repository.runs.values()]
const testRuns = () =>
  installed.test.asOwner('select id, state, state_reason, external_id from test_runs order by id')
const fail = (
  fault: Parameters<Installed['sandbox']['faults']['add']>[0]['fault'],
  request = 'POST /repositories/',
) => installed.sandbox.faults.add({ provider: 'github', request, fault })

describe('dispatchWorkflow', () => {
  it('starts a workflow that tests a deployment, and says as which run', async () => {
    addE2e()
    const { status, body } = await dispatch({ inputs: { environment: 'mine', undeclared: 'x' } })
    const [run] = hostRuns()
    const [testRun] = await testRuns()
    expect([status, body]).toEqual([
      202,
      {
        workflowId: 'e2e.yml',
        ref: 'main',
        runId: String(run?.id),
        runUrl: expect.stringContaining(String(run?.id)),
        testRunId: testRun?.['id'],
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

  it('starts one that tests nothing, without a test run', async () => {
    addE2e({ inputs: [] })
    const { status, body } = await dispatch({ deploymentId: undefined })
    expect([status, body.runId, body.testRunId]).toEqual([202, String(hostRuns()[0]?.id), null])
    expect(await testRuns()).toEqual([])
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
      fail(fault)
      const { status, body } = await dispatch({}, 'once')
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
    expect(await testRuns()).toMatchObject([{ state: 'errored', external_id: null }])
    expect(await dispatch(body, 'again')).toMatchObject({ replayed: false, body: { code } })
    expect(hostRuns()).toEqual([])
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
    fail({ kind: 'answer', status: 401 })
    const { status, body } = await dispatch({}, 'again')
    expect([status, body.code]).toEqual([424, 'provider_error'])
    expect(await testRuns()).toMatchObject([{ state: 'errored' }])
    expect(await dispatch({}, 'again')).toMatchObject({ status: 202, replayed: false })
    expect(hostRuns()).toHaveLength(1)
  })

  it('refuses without a call where nothing is connected, or has to be connected again', async () => {
    const asked = installed.sandbox.log.list().length
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

describe('listWorkflows', () => {
  const names = async (query = '') =>
    (await call(`GET ${query}`)).body.items.map(({ name }: { name: string }) => name)
  const asked = () =>
    installed.sandbox.log.list().filter(({ path }) => path.includes('/actions/workflows')).length

  it('lists the workflows of tracked repositories, and asks again only for what is old or named', async () => {
    const workflow = addE2e()
    const { activity } = installed.sandbox.github
    activity.addWorkflow(installed.repository, {
      name: 'Old',
      file: 'old.yml',
      state: 'disabled_inactivity',
    })
    const repositoryId = String(installed.repository.id)
    expect((await call('GET ')).body.items).toEqual([
      {
        id: String(workflow.id),
        repositoryId,
        name: 'E2E',
        path: '.github/workflows/e2e.yml',
        state: 'active',
        dispatchable: true,
      },
      expect.objectContaining({ name: 'Old', state: 'disabled_inactivity', dispatchable: false }),
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
    const { activity } = installed.sandbox.github
    const { repository } = installed
    const workflow = activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml' })
    await call('GET ')
    await dispatch()
    expect((await call('GET ')).body.items).toMatchObject([{ dispatchable: false }])
    repository.workflows.set(workflow.id, { ...workflow, inputs: inputs.map((name) => ({ name })) })
    await dispatch()
    expect((await call('GET ')).body.items).toMatchObject([{ dispatchable: true }])
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
