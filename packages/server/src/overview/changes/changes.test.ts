import type { Change } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOverviewApp, type OverviewApp } from '../testing/open-overview-app.ts'

let app: OverviewApp
let production: string
let schemaId: string
let first: string
let second: string
const ago = (minutes: number) => new Date(app.at.getTime() - minutes * 60_000)

const list = async (query = ''): Promise<{ items: Change[]; nextCursor: string | null }> =>
  (await app.ok('viewer', `GET /changes${query}`)).body

beforeAll(async () => {
  app = await openOverviewApp()
  production = await app.addEnvironment('production')
  const staging = await app.addEnvironment('staging')
  schemaId = await app.addSchema('web', {
    theme: { type: 'string', tier: 'public' },
    token: { type: 'string', tier: 'secret' },
    beta: { type: 'boolean', tier: 'featureFlags', default: false },
  })
  first = await app.addDeployment({ environmentId: production, createdAt: ago(30) })
  second = await app.addDeployment({
    environmentId: production,
    createdAt: ago(20),
    previousId: first,
    message: 'SHOP-97 New empty state\n\nMore.',
    creator: { name: 'The Octocat', login: 'octocat' },
  })
  await app.test.asOwner(
    `insert into deployment_issues (org_id, deployment_id, key, state) values ($1, $2, 'SHOP-97', 'linked')`,
    [app.orgId, second],
  )
  await app.addTestRun({
    deploymentId: second,
    environmentId: production,
    state: 'passed',
    passed: 5,
  })
  const write = (environmentId: string, values: object, comment?: string) =>
    app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId, values, comment },
    })
  await write(staging, { theme: 'light' })
  await write(production, { theme: 'dark', token: 'hidden-value' })
  await write(production, { beta: true }, 'open for all, PAY-225')
})
afterAll(() => app.close())

describe('the changes of an environment', () => {
  it('are deployments, test runs, configuration and flags as one list, newest first', async () => {
    const { items } = await list(`?environmentId=${production}`)
    expect(items.map(({ kind, title }) => [kind, title])).toEqual([
      ['flag_flip', 'beta: off → on'],
      ['config_version', 'Values written in web'],
      ['test_run', 'e2e'],
      ['config_version', 'Schema changed in web'],
      ['deployment', 'SHOP-97 New empty state'],
      ['deployment', expect.stringMatching(/^Commit [0-9a-f]{7}$/)],
    ])
  })

  it('have an author, a reason, a proof and a way back', async () => {
    const { items } = await list(`?environmentId=${production}`)
    const [flag, config] = items
    const deployed = items.find(({ id }) => id === second)
    expect(deployed).toMatchObject({
      author: { name: 'The Octocat' },
      reason: { issueKeys: ['SHOP-97'] },
      proof: { state: 'passed', passed: 5 },
      wayBack: { kind: 'redeploy', deploymentId: first },
    })
    expect(flag).toMatchObject({
      author: { name: 'developer' },
      reason: { issueKeys: ['PAY-225'], comment: 'open for all, PAY-225' },
      wayBack: { kind: 'restore', versionId: config?.id, version: 2 },
      configuration: {
        version: 3,
        total: 1,
        changes: [{ key: 'beta', before: false, after: true, text: 'off → on' }],
      },
    })
  })

  it('say of a flag with rules who has it, and of rules alone what became of them', async () => {
    const elsewhere = await app.addEnvironment('canary')
    const write = (rules: readonly object[]) =>
      app.ok('developer', 'PUT /config-values', {
        body: {
          schemaId,
          environmentId: elsewhere,
          values: { beta: false },
          rules: { beta: rules },
        },
      })
    const staff = (value: string) => ({
      description: 'staff',
      when: [{ attribute: 'email', operator: 'endsWith', value }],
      serve: true,
    })
    await write([staff('@acme.example'), { when: [], serve: { percent: 10 } }])
    await write([staff('@acme.test'), { when: [], serve: { percent: 10 } }])
    const { items } = await list(`?environmentId=${elsewhere}`)
    expect(items.slice(0, 2).map(({ title }) => title)).toEqual([
      'beta: rules changed: staff (on where email ends with @acme.test)',
      'beta: off → on for staff, 10%',
    ])
  })

  it('say which segment changed the flags of an environment, and have no version to restore', async () => {
    const elsewhere = await app.addEnvironment('segmented')
    const segment = (value: string) => ({
      anyOf: [{ when: [{ attribute: 'plan', operator: 'equals', value }] }],
    })
    const body = { name: 'paying', ...segment('pro') }
    await app.ok('developer', 'POST /segments', { body })
    const rules = { beta: [{ when: [{ operator: 'segment', segment: 'paying' }], serve: true }] }
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId: elsewhere, values: { beta: false }, rules },
    })
    await app.ok('developer', 'PUT /segments/paying', { body: segment('team') })
    const { items } = await list(`?environmentId=${elsewhere}`)
    expect(items[1]?.title).toBe('beta: off → on for paying')
    expect(items[0]).toMatchObject({
      kind: 'config_version',
      title: 'Segment paying changed',
      state: 'segment',
      wayBack: null,
      configuration: {
        changes: [
          {
            key: 'beta',
            segments: ['paying'],
            text: 'segment paying changed: on for paying',
          },
        ],
      },
    })
  })

  it('show the old and the new value of a public key and of a flag, and none of a secret', async () => {
    const { text } = await app.ok('viewer', `GET /changes?environmentId=${production}`)
    const { items } = await list(`?environmentId=${production}`)
    const written = items.find(({ title }) => title === 'Values written in web')
    const isSet = { source: 'set' }
    expect(written?.configuration?.changes).toEqual([
      { key: 'theme', tier: 'public', change: 'added', after: 'dark', sourceAfter: isSet },
      { key: 'token', tier: 'secret', change: 'added', sourceAfter: isSet },
    ])
    expect(text).not.toContain('hidden-value')
  })

  it('cut a long value', async () => {
    const long = 'x'.repeat(1000)
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId: production, values: { theme: long } },
    })
    const [newest] = (await list(`?environmentId=${production}`)).items
    const [theme] = newest?.configuration?.changes ?? []
    expect(theme).toMatchObject({ before: 'dark', after: `${'x'.repeat(200)}…` })
  })

  it('are all found page by page, each once, also those of one moment', async () => {
    const at = ago(60)
    for (let n = 0; n < 5; n += 1) await app.addDeployment({ createdAt: at })
    const whole = (await list('?limit=100')).items.map(({ id }) => id)
    expect(whole.length).toBeGreaterThan(10)
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      paged.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(paged).toEqual(whole)
  })

  it('begin before a moment that is asked for', async () => {
    const { items } = await list(`?environmentId=${production}&before=${ago(25).toISOString()}`)
    expect(items.map(({ id }) => id)).toEqual([first])
  })

  it('are of the kinds that are asked for', async () => {
    const kindsOf = async (query: string) => {
      const { items } = await list(`?environmentId=${production}${query}`)
      return new Set(items.map(({ kind }) => kind))
    }
    expect(await kindsOf('&kinds=flag_flip')).toEqual(new Set(['flag_flip']))
    expect(await kindsOf('&kinds=config_version')).toEqual(new Set(['config_version']))
    expect(await kindsOf('&kinds=deployment,test_run')).toEqual(new Set(['deployment', 'test_run']))
    expect(await app.call('viewer', 'GET /changes?kinds=weather')).toMatchObject({ status: 400 })
  })

  it('leave out the test runs of a deployment, which counts them, where that is asked for', async () => {
    const { items } = await list(`?environmentId=${production}&foldTests=true`)
    expect(items.map(({ kind }) => kind)).not.toContain('test_run')
    expect(items.find(({ id }) => id === second)).toMatchObject({
      testRuns: 1,
      proof: { state: 'passed', passed: 5 },
    })
    const alone = await app.addTestRun({ environmentId: production, state: 'failed' })
    const folded = await list(`?environmentId=${production}&foldTests=true&kinds=test_run`)
    expect(folded.items.map(({ id }) => id)).toEqual([alone])
  })

  it('lie between two moments', async () => {
    const period = `&from=${ago(25).toISOString()}&before=${ago(15).toISOString()}`
    const { items } = await list(`?environmentId=${production}${period}`)
    expect(items.map(({ id }) => id)).toEqual([second])
  })

  it('are found by person, key, repository and text', async () => {
    const titles = async (query: string) =>
      (await list(`?environmentId=${production}&${query}`)).items.map(({ title }) => title)
    expect(await titles('author=the%20octocat')).toEqual(['SHOP-97 New empty state'])
    expect(await titles('author=developer&kinds=flag_flip')).toEqual(['beta: off → on'])
    expect(await titles('key=beta')).toEqual(['beta: off → on', 'Schema changed in web'])
    expect(await titles('repository=ACME/shop&kinds=deployment')).toHaveLength(2)
    expect(await titles('repository=acme/other')).toEqual([])
    expect(await titles('text=EMPTY%20state')).toEqual(['SHOP-97 New empty state'])
    expect(await titles('text=pay-225')).toEqual(['beta: off → on'])
    expect(await titles('text=100%25')).toEqual([])
  })
})
