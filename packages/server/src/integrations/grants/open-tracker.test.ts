import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openJira, type TestJira } from '../testing/open-jira.ts'

const hourMs = 3600_000
const orgId = 'org_1'
const bulkFetch = 'issue/bulkfetch'

let app: TestJira

beforeAll(async () => {
  app = await openJira()
})
beforeEach(async () => {
  await app.reset()
  await app.connect()
})
afterAll(() => app.close())

const callsOf = (path: string) =>
  app.sandbox.log.list().filter((request) => request.path.includes(path)).length
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) =>
      String(Reflect.get(Object(error), 'failure') ?? Reflect.get(Object(error), 'code')),
  )
const rowOf = async () =>
  (
    await app.test.asOwner(
      'select state, state_reason, last_error, last_ok_at, revision from integrations',
    )
  )[0]

describe('a connected site', () => {
  it('returns for each key whether its issue was found, has moved, is absent or has no project', async () => {
    const { jira } = app.sandbox
    jira.addIssue({ project: 'ABC', summary: 'Moves away' })
    jira.moveIssue('ABC-4', 'WEB2')
    jira.deleteIssue('ABC-3')
    const tracker = await app.openNode()(orgId)
    const found = await tracker.findIssues(['ABC-1', 'ABC-4', 'ABC-3', 'SEC-1', 'UTF-8', 'ABC-1'])
    expect(found.map((one) => [one.key, one.outcome])).toEqual([
      ['ABC-1', 'found'],
      ['ABC-4', 'moved'],
      ['ABC-3', 'absent'],
      ['SEC-1', 'noProject'],
      ['UTF-8', 'noProject'],
    ])
    expect(found[0]).toMatchObject({
      issue: {
        key: 'ABC-1',
        title: 'The basket forgets its currency',
        type: 'Bug',
        status: 'In Progress',
        statusCategory: 'indeterminate',
        assignee: 'Ada',
        priority: 'High',
        url: `${app.sandbox.origin}/atlassian/sites/acme/browse/ABC-1`,
      },
    })
    expect(found[1]).toMatchObject({ issue: { key: 'WEB2-2', title: 'Moves away' } })
  })

  it('is asked for a hundred issues at a time', async () => {
    const tracker = await app.openNode()(orgId)
    const keys = Array.from({ length: 250 }, (_, at) => `ABC-${at + 1}`)
    for (let count = 3; count < 250; count += 1) {
      app.sandbox.jira.addIssue({ project: 'ABC', summary: 'One of many' })
    }
    const found = await tracker.findIssues(keys)
    expect(found.map(({ key }) => key)).toEqual(keys)
    expect(found.every(({ outcome }) => outcome === 'found')).toBe(true)
    expect(callsOf(bulkFetch)).toBe(3)
  })

  it('is not asked for nothing', async () => {
    const tracker = await app.openNode()(orgId)
    expect(await tracker.findIssues([])).toEqual([])
    expect(callsOf(bulkFetch)).toBe(0)
  })

  it('lists each project once over all pages, in the order of the keys, and finds by key and name', async () => {
    for (const letter of 'ZYXWV') {
      app.sandbox.jira.addProject({ key: `${letter}${letter}`, name: `Team ${letter}` })
    }
    const tracker = await app.openNode()(orgId)
    const keys: string[] = []
    let page: string | undefined
    do {
      const listed = await tracker.listProjects({ query: undefined, page, limit: 3 })
      expect(listed.projects.length).toBeLessThanOrEqual(3)
      keys.push(...listed.projects.map(({ key }) => key))
      page = listed.nextPage
    } while (page !== undefined)
    expect(keys).toEqual(['ABC', 'VV', 'WEB2', 'WW', 'XX', 'YY', 'ZZ'])
    const named = await tracker.listProjects({ query: 'shop', page: undefined, limit: 50 })
    expect(named).toEqual({ projects: [{ key: 'ABC', name: 'Shop' }], nextPage: undefined })
  })
})

describe('a token', () => {
  it('that has ended is replaced before it is used', async () => {
    const tracker = await app.openNode()(orgId)
    app.sandbox.clock.advance(hourMs)
    expect(await tracker.findIssues(['ABC-1'])).toMatchObject([{ outcome: 'found' }])
    expect([callsOf(bulkFetch), callsOf('/oauth/token')]).toEqual([1, 2 + 1])
  })

  it.each([401, 404] as const)(
    'that ends midway, which Jira answers %d, is replaced and asked with once more',
    async (status) => {
      app.sandbox.jira.expiredAnswers = status
      let sent = 0
      const onSend = () => {
        sent += 1
        if (sent === 2) app.sandbox.clock.advance(hourMs)
      }
      const tracker = await app.openNode({ onSend })(orgId)
      const keys = Array.from({ length: 103 }, (_, at) => `ABC-${at + 1}`)
      for (let count = 3; count < 103; count += 1) {
        app.sandbox.jira.addIssue({ project: 'ABC', summary: 'One of many' })
      }
      const found = await tracker.findIssues(keys)
      expect(found.every(({ outcome }) => outcome === 'found')).toBe(true)
      expect(callsOf(bulkFetch)).toBe(3)
      expect(await rowOf()).toMatchObject({ state: 'connected' })
    },
  )

  it('is rotated for as long as it is used, and always with the newest', async () => {
    const [one, other] = await Promise.all([app.openNode()(orgId), app.openNode()(orgId)])
    for (const tracker of [one, other, one, other, one]) {
      app.sandbox.clock.advance(hourMs)
      expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('answered')
    }
  })

  it('is renewed once for two nodes that want it at the same moment', async () => {
    const nodes = await Promise.all([app.openNode()(orgId), app.openNode()(orgId)])
    const before = callsOf('/oauth/token')
    app.sandbox.clock.advance(hourMs)
    const asked = Array.from({ length: 10 }, () => nodes.map((node) => node.findIssues(['ABC-1'])))
    await Promise.all(asked.flat())
    expect(callsOf('/oauth/token') - before).toBe(1)
  })

  it('that Jira refuses together with its refresh token ends the connection, with a reason and what to do', async () => {
    const tracker = await app.openNode()(orgId)
    app.sandbox.jira.removeGrant()
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('reauth_required')
    expect(await rowOf()).toMatchObject({
      state: 'reauth_required',
      state_reason: 'Jira revoked access.',
      last_error: { code: 'invalid_grant', nextStep: 'Connect it again.' },
    })
    expect(app.emitted).toEqual(['tracker.connected', 'integration.attention'])
    expect(await failureOf(app.openNode()(orgId))).toBe('reauth_required')
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('reauth_required')
    expect(callsOf(bulkFetch)).toBe(1)
  })

  it('that cannot be renewed just now is no end: nothing was asked, and a repeat succeeds', async () => {
    const tracker = await app.openNode()(orgId)
    app.sandbox.clock.advance(hourMs)
    const request = 'POST /oauth/token'
    app.sandbox.faults.add({ provider: 'jira', request, fault: { kind: 'cut' } })
    const limited = app.sandbox.jira.rateLimited({ retryAfterSeconds: 30 })
    app.sandbox.faults.add({ provider: 'jira', request, fault: limited })
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('unavailable')
    app.sandbox.clock.advance(1000)
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('rateLimited')
    expect(callsOf(bulkFetch)).toBe(0)
    app.sandbox.clock.advance(30_000)
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('answered')
  })

  it('whose family is dead ends the connection, and nothing is asked with it', async () => {
    const tracker = await app.openNode()(orgId)
    app.sandbox.jira.removeGrant()
    app.sandbox.clock.advance(hourMs)
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('reauth_required')
    expect(await rowOf()).toMatchObject({
      state: 'reauth_required',
      last_error: { code: 'invalid_grant', nextStep: 'Connect it again.' },
    })
    expect(callsOf(bulkFetch)).toBe(0)
    await app.connect()
    expect(await failureOf(tracker.findIssues(['ABC-1']))).toBe('answered')
  })

  it('of before does not end the connection that was made meanwhile', async () => {
    let isFirst = true
    const onSend = async () => {
      if (!isFirst) return
      isFirst = false
      app.sandbox.jira.removeGrant()
      await app.connect()
    }
    const tracker = await app.openNode({ onSend })(orgId)
    expect(await tracker.findIssues(['ABC-1'])).toMatchObject([{ outcome: 'found' }])
    expect(await rowOf()).toMatchObject({ state: 'connected' })
  })
})

describe('Jira in trouble', () => {
  const fail = (fault: Parameters<typeof app.sandbox.faults.add>[0]['fault'], times = 1) =>
    app.sandbox.faults.add({ provider: 'jira', request: 'POST /ex/jira', fault, times })
  const ask = async () => (await app.openNode()(orgId)).findIssues(['ABC-1'])

  it('is asked again no sooner than it says', async () => {
    fail(app.sandbox.jira.rateLimited({ retryAfterSeconds: 30 }))
    const error = await ask().catch((thrown: unknown) => thrown)
    const now = app.sandbox.clock.now().getTime()
    expect(error).toMatchObject({ failure: 'rateLimited', code: 'http_429' })
    const { retryAt } = Object(error)
    expect(retryAt.getTime()).toBeGreaterThan(now + 25_000)
    expect(retryAt.getTime()).toBeLessThanOrEqual(now + 30_000)
  })

  const page = '<!doctype html><title>Log in</title>'
  it.each([
    ['cuts the answer off', { kind: 'cut' }, 'unavailable'],
    ['drops the connection', { kind: 'drop' }, 'unavailable'],
    ['answers with a page', { kind: 'answer', status: 200, body: page }, 'unavailable'],
    ['answers something else', { kind: 'answer', status: 200, body: '{}' }, 'unavailable'],
    ['answers 503', { kind: 'answer', status: 503, body: page }, 'unavailable'],
    ['answers 404 to a token that is good', { kind: 'answer', status: 404 }, 'notFound'],
    ['answers 403 to a token that is good', { kind: 'answer', status: 403 }, 'forbidden'],
  ] as const)('that %s was asked once, and the connection stays', async (_, fault, failure) => {
    fail(fault)
    expect(await failureOf(ask())).toBe(failure)
    expect(callsOf(bulkFetch)).toBe(1)
    expect(await rowOf()).toMatchObject({ state: 'connected' })
    expect(await failureOf(ask())).toBe('answered')
  })

  it('shows in the health of the integration until it answers again', async () => {
    const tracker = await app.openNode()(orgId)
    fail({ kind: 'answer', status: 503 })
    await failureOf(tracker.findIssues(['ABC-1']))
    await expect
      .poll(rowOf)
      .toMatchObject({ last_error: { code: 'http_503', nextStep: expect.any(String) } })
    await tracker.findIssues(['ABC-1'])
    await expect.poll(rowOf).toMatchObject({ last_error: null })
  })
})

describe('a tracker that is not usable', () => {
  it.each([
    ['pending', 'integration_not_connected', 'Choose one'],
    ['suspended', 'integration_not_connected', 'suspended'],
    ['disconnecting', 'integration_not_connected', 'Connect it'],
    ['disconnected', 'integration_not_connected', 'Connect it'],
    ['reauth_required', 'reauth_required', 'Connect it again'],
  ])('because it is %s is refused with what to do', async (state, code, sentence) => {
    await app.test.asOwner('update integrations set state = $1', [state])
    await expect(app.openNode()(orgId)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(sentence),
    })
  })

  it('is another organization’s', async () => {
    expect(await failureOf(app.openNode()('org_2'))).toBe('integration_not_connected')
  })
})
