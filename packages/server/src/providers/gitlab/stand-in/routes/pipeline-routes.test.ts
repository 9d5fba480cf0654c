import { Gitlab } from '@gitbeaker/rest'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { openShop, type TestShop } from '../testing/open-shop.ts'
import { startReceiver } from '../testing/receiver.ts'

const sandbox = await openSandbox()
const receiver = await startReceiver()
let shop: TestShop

beforeEach(() => {
  shop = openShop(sandbox)
  sandbox.gitlab.activity.setCi(shop.project, {
    inputs: [
      { name: 'environment', options: ['staging', 'production'] },
      { name: 'test_run_id', default: '' },
      { name: 'retries', type: 'number', default: 0 },
    ],
    workflowName: 'E2E $[[ inputs.test_run_id ]]$RUN_MARK',
    jobs: [{ name: 'e2e', stage: 'test', environment: undefined }],
  })
})
afterEach(() => {
  receiver.received.length = 0
})
afterAll(() => receiver.close())

// Repeats a call that is answered 429 or 502 (`providers/testing/repeating-clients.test.ts`): such answers are tested without it.
const client = (person = 'ada') =>
  new Gitlab({
    host: sandbox.addresses.gitlab,
    token: sandbox.gitlab.createAccessToken(person, ['api']),
  })

async function start(body: object, person = 'ada') {
  const answer = await fetch(
    `${sandbox.addresses.gitlab}/api/v4/projects/${shop.project.id}/pipeline`,
    {
      method: 'POST',
      headers: {
        'private-token': sandbox.gitlab.createAccessToken(person, ['api']),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    },
  )
  return { status: answer.status, body: await answer.json() }
}

/** The answer to a start leaves the name out. */
const nameOf = async (started: { readonly body: { readonly id: number } }) =>
  (await client().Pipelines.show(shop.project.id, started.body.id)).name

describe('the CI file', () => {
  it('declares its inputs in a header before the jobs', async () => {
    const { content } = await client().RepositoryFiles.show(
      shop.project.id,
      '.gitlab-ci.yml',
      'main',
    )
    expect(Buffer.from(content, 'base64').toString('utf8')).toMatch(
      /^spec:\n {2}inputs:\n {4}"environment":\n {6}options: \["staging","production"\]\n[\s\S]*\n---\nworkflow:/,
    )
  })
})

describe('starting a pipeline', () => {
  it('takes the inputs that the CI file declares, and names it by them', async () => {
    const started = await start({
      ref: 'main',
      inputs: { environment: 'staging', test_run_id: 'run_1' },
    })
    expect(started).toMatchObject({ status: 201, body: { source: 'api', status: 'created' } })
    expect(started.body).not.toHaveProperty('name')
    expect(await nameOf(started)).toBe('E2E run_1')
    const named = await client().Pipelines.all(shop.project.id, {
      source: 'api',
      name: 'E2E run_1',
      ref: 'main',
      username: 'ada',
    })
    expect(named.map(({ id }) => id)).toEqual([started.body.id])
    expect(await client().Pipelines.all(shop.project.id, { name: 'E2E run_2' })).toEqual([])
  })

  it.each([
    ['a required input that is missing', {}, /required value has not been provided/],
    ['a value that is no option', { environment: 'moon' }, /not in the list of allowed options/],
    ['a value of another type', { environment: 'staging', retries: '1' }, /is not a number/],
    ['an input that nobody declared', { environment: 'staging', other: '1' }, /not defined/],
  ])('refuses %s', async (_what, inputs, message) => {
    const { status, body } = await start({ ref: 'main', inputs })
    expect(status).toBe(400)
    expect(body.message.base[0]).toMatch(message)
    expect(shop.project.pipelines.size).toBe(0)
  })

  it.each([
    ['18.0.9', 'E2E '],
    ['18.1.0', 'E2E run_1'],
  ])('ignores inputs without a word before 18.1: %s', async (version, name) => {
    const inputs = [{ name: 'test_run_id', default: '' }]
    const workflowName = 'E2E $[[ inputs.test_run_id ]]'
    sandbox.gitlab.activity.setCi(shop.project, { inputs, workflowName })
    sandbox.gitlab.settings.version = version
    const started = await start({ ref: 'main', inputs: { test_run_id: 'run_1' } })
    expect(started.status).toBe(201)
    expect(await nameOf(started)).toBe(name)
  })

  it('refuses a commit as the ref, a project without a CI file, and a guest', async () => {
    const inputs = { environment: 'staging' }
    const [sha] = shop.project.commits.keys()
    expect((await start({ ref: sha, inputs })).body.message.base).toEqual(['Reference not found'])
    shop.project.members.set(503, 'guest')
    expect((await start({ ref: 'main', inputs }, 'mallory')).status).toBe(403)
    shop.project.ci = undefined
    expect((await start({ ref: 'main', inputs })).body.message.base).toEqual([
      'Missing CI config file',
    ])
  })

  it('refuses variables unless the project allows them to this role', async () => {
    const body = {
      ref: 'main',
      inputs: { environment: 'staging' },
      variables: [{ key: 'RUN_MARK', value: 'm1' }],
    }
    const refused = await start(body)
    expect(refused).toMatchObject({
      status: 400,
      body: { message: { base: ['Insufficient permissions to set pipeline variables'] } },
    })
    shop.project.variablesRole = 'maintainer'
    expect((await start(body, 'grace')).status).toBe(400)
    const started = await start(body)
    expect(await nameOf(started)).toBe('E2E m1')
    const { id } = started.body
    expect(await client().Pipelines.allVariables(shop.project.id, id)).toMatchObject([
      { key: 'RUN_MARK', value: 'm1' },
    ])
  })
})

describe('a pipeline', () => {
  it('tells its hooks each state, with the variables that it was started with', async () => {
    await client().ProjectHooks.add(shop.project.id, receiver.url, {
      pipelineEvents: true,
      pushEvents: false,
    })
    shop.project.variablesRole = 'developer'
    shop.project.autoRun = () => ({ status: 'failed' })
    const { body } = await start({
      ref: 'main',
      inputs: { environment: 'staging' },
      variables: [{ key: 'RUN_MARK', value: 'm1' }],
    })
    await expect.poll(() => receiver.received.length).toBe(3)
    expect(receiver.received.map(({ headers }) => headers['x-gitlab-event'])).toEqual([
      'Pipeline Hook',
      'Pipeline Hook',
      'Pipeline Hook',
    ])
    const attributes = receiver.received.map((event) => event.body['object_attributes'])
    expect(attributes).toEqual(
      expect.arrayContaining(
        ['created', 'running', 'failed'].map((status) =>
          expect.objectContaining({
            id: body.id,
            status,
            variables: [{ key: 'RUN_MARK', value: 'm1' }],
          }),
        ),
      ),
    )
    for (const attribute of attributes) expect(attribute).not.toHaveProperty('updated_at')
  })

  it('keeps its id when it is retried', async () => {
    const { body } = await start({ ref: 'main', inputs: { environment: 'staging' } })
    const pipeline = shop.project.pipelines.get(body.id)
    if (pipeline === undefined) throw new Error('There is no pipeline.')
    const { activity } = sandbox.gitlab
    activity.setPipelineStatus(shop.project, pipeline, 'failed')
    activity.retryPipeline(shop.project, pipeline)
    const retried = await client().Pipelines.show(shop.project.id, body.id)
    expect(retried).toMatchObject({ id: body.id, status: 'created' })
  })

  it('has its test report ready made, and an empty one without reports', async () => {
    const { body } = await start({ ref: 'main', inputs: { environment: 'staging' } })
    const read = () => client().Pipelines.showTestReport(shop.project.id, body.id)
    expect(await read()).toMatchObject({ total_count: 0, test_suites: [] })
    const pipeline = shop.project.pipelines.get(body.id)
    if (pipeline === undefined) throw new Error('There is no pipeline.')
    sandbox.gitlab.activity.setTestReport(pipeline, [
      { status: 'success', name: 'signs in', classname: 'shop', executionTime: 0.5 },
      {
        status: 'failed',
        name: 'pays',
        classname: 'shop',
        executionTime: 1,
        systemOutput: 'expected 200',
      },
    ])
    expect(await read()).toMatchObject({
      total_count: 2,
      failed_count: 1,
      test_suites: [{ test_cases: [{}, { status: 'failed', system_output: 'expected 200' }] }],
    })
    const summary = await client().Pipelines.showTestReportSummary(shop.project.id, body.id)
    expect(summary).toMatchObject({ total: { count: 2, failed: 1, time: 1.5 } })
  })
})

describe('the token of a job', () => {
  it('is verified with the keys that discovery names, which are not at the address that GitHub uses', async () => {
    const { body } = await start({ ref: 'main', inputs: { environment: 'staging' } })
    const pipeline = shop.project.pipelines.get(body.id)
    if (pipeline === undefined) throw new Error('There is no pipeline.')
    const audience = 'https://signalbox.test'
    const token = sandbox.gitlab.issueJobToken({ project: shop.project, pipeline, audience })
    const base = sandbox.addresses.gitlab
    const discovery = await (await fetch(`${base}/.well-known/openid-configuration`)).json()
    expect(discovery.jwks_uri).not.toBe(`${base}/.well-known/jwks`)
    expect((await fetch(`${base}/.well-known/jwks`)).status).toBe(404)
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(discovery.jwks_uri)), {
      audience,
      issuer: base,
    })
    expect(payload).toMatchObject({
      project_id: String(shop.project.id),
      pipeline_id: String(pipeline.id),
      project_path: 'acme/shop',
    })
  })
})
