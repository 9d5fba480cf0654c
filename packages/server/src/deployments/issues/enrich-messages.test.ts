import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { grammarOf } from '../../providers/issue-keys/issue-grammars.ts'
import { findIssueKeys } from './issue-keys.ts'
import { recordIssueChange } from './record-issue-change.ts'
import { openTrackerApp, type TrackerApp } from '../testing/open-tracker-app.ts'

/** Lists texts that look like issue keys. Each becomes one when the tracker has a project of that name. */
const lookalikes = ['UTF-8', 'SHA-256', 'CVE-2024', 'COVID-19', 'ISO-8601', 'RFC-9110', 'HTTP-2']
const corpus = [
  'Read files as UTF-8, compare them by SHA-256',
  'Fix CVE-2024-1 and CVE-2024-12345 in the parser',
  'Put the COVID-19 notice away',
  'Write times as ISO-8601 (RFC-9110, HTTP-2)',
  'X-1 marks the spot; so does A1-0, ABC-0 and xABC-1',
  'See MY_PROJ-1, ABC-007, ABC_DEF and abc-1',
]

let app: TrackerApp

beforeAll(async () => {
  app = await openTrackerApp()
})
beforeEach(async () => {
  await app.reset()
  await app.connect()
})
afterAll(() => app.close())

const tracker = '/integrations/tracker'
const enrich = (commitMessages: readonly string[], more: object = {}, as = 'developer') =>
  app.call(as, `POST ${tracker}/enrich-deployment`, { commitMessages, ...more })
const track = async (projectKeys: readonly string[]) => {
  const { status } = await app.call('admin', `PATCH ${tracker}`, { projectKeys })
  if (status !== 200) throw new Error(`The projects were answered ${status}`)
}
const deploy = async (environment: string) => {
  const { body } = await app.call('key', 'POST /deployments', {
    repository: 'acme/shop',
    sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    ref: 'main',
    environment,
    state: 'success',
  })
  return String(body.id)
}
const issuesOf = async (id: string) =>
  (await app.call('viewer', `GET /deployments/${id}`)).body.issues
const bulkCalls = () =>
  app.sandbox.log.list().filter(({ path }) => path.endsWith('issue/bulkfetch')).length

describe('enrichDeployment', () => {
  it('tells which issues commit messages name, each once, with what is known of it', async () => {
    const { status, body } = await enrich(['ABC-1 Keep the currency', 'ABC-2, ABC-1: tests'])
    expect(status).toBe(200)
    expect(body).toMatchObject({ keys: ['ABC-1', 'ABC-2'], notFound: [], ignored: [] })
    expect(body.issues[0]).toEqual({
      key: 'ABC-1',
      title: 'The basket forgets its currency',
      type: 'Bug',
      status: 'In Progress',
      statusCategory: 'indeterminate',
      assignee: 'Ada',
      priority: 'High',
      url: `${app.sandbox.origin}/atlassian/sites/acme/browse/ABC-1`,
    })
  })

  it('shows a moved issue under its key of today, and once for both of its keys', async () => {
    app.sandbox.jira.moveIssue('ABC-2', 'WEB2')
    const { body } = await enrich(['ABC-2 Add', 'WEB2-2 Finish', 'ABC-77', 'SEC-1'])
    expect(body.keys).toEqual(['ABC-2', 'WEB2-2', 'ABC-77'])
    expect(body.issues.map(({ key }: { key: string }) => key)).toEqual(['WEB2-2'])
    expect(body.notFound).toEqual(['ABC-77'])
    // A project that is hidden from the integration looks like one that does not exist.
    expect(body.ignored).toEqual([
      { key: 'SEC-1', reason: 'The tracker shows no project of this key.' },
    ])
  })

  it('looks up five hundred keys, a hundred with each call, and names those that it did not', async () => {
    await track(['ABC'])
    const calls = bulkCalls()
    const { body } = await enrich([
      Array.from({ length: 503 }, (_, at) => `ABC-${503 - at}`).join(' '),
    ])
    expect(body.keys).toHaveLength(500)
    expect(body.notLookedUp).toEqual(['ABC-3', 'ABC-2', 'ABC-1'])
    expect(bulkCalls() - calls).toBeGreaterThanOrEqual(5)
    const none = await enrich(['ABC-1 Keep the currency'])
    expect(none.body).toMatchObject({ keys: ['ABC-1'], notLookedUp: [] })
  })

  it('keeps more than fifty keys on a deployment, and shows those beyond the limit by name', async () => {
    const id = await deploy('staging')
    const keys = Array.from({ length: 503 }, (_, at) => `ABC-${at + 1}`)
    await enrich([keys.join('\n')], { deploymentId: id })
    const issues: { key: string; state: string; reason: string }[] = await issuesOf(id)
    expect(issues.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
    const beyond = issues.filter(({ reason }) => reason?.startsWith('Not looked up'))
    expect(beyond.map(({ key, state }) => [key, state])).toEqual([
      ['ABC-501', 'ignored'],
      ['ABC-502', 'ignored'],
      ['ABC-503', 'ignored'],
    ])
  })

  it('counts keys of tracked projects alone, and says of the others why not', async () => {
    await track(['ABC'])
    const { body } = await enrich(['ABC-1 and WEB2-1, as UTF-8'])
    expect(body).toMatchObject({ keys: ['ABC-1'], notFound: [] })
    expect(body.ignored).toEqual([
      { key: 'WEB2-1', reason: 'Its project is not tracked.' },
      { key: 'UTF-8', reason: 'Its project is not tracked.' },
    ])
  })

  it('does not count what a later message takes back, until one brings it in again', async () => {
    const added = 'ABC-1 Keep the currency'
    const taken = await enrich([added, `Revert "${added}"`, 'ABC-2'])
    expect(taken.body.keys).toEqual(['ABC-2'])
    expect(taken.body.ignored).toEqual([{ key: 'ABC-1', reason: 'A later commit takes it back.' }])
    const back = await enrich([added, `Revert "${added}"`, `Revert "Revert "${added}""`])
    expect(back.body).toMatchObject({ keys: ['ABC-1'], ignored: [] })
  })

  it('asks Jira for nothing when nothing is named', async () => {
    expect((await enrich(['Tidy up', ''])).body).toEqual({
      keys: [],
      issues: [],
      notFound: [],
      ignored: [],
      notLookedUp: [],
    })
    expect(bulkCalls()).toBe(0)
  })

  it('says what is to be done where there is no tracker, or Jira gives no answer', async () => {
    const stranger = await enrich(['ABC-1'], {}, 'stranger')
    expect(stranger.body).toMatchObject({ status: 409, code: 'integration_not_connected' })
    app.sandbox.faults.add({ provider: 'jira', request: 'POST /ex/jira', fault: { kind: 'cut' } })
    expect((await enrich(['ABC-1'])).body).toMatchObject({ status: 424, code: 'provider_error' })
  })
})

describe('with a deployment', () => {
  it('records what it found onto it', async () => {
    const deploymentId = await deploy('production')
    app.sandbox.jira.moveIssue('ABC-2', 'WEB2')
    const messages = ['ABC-1', 'ABC-2', 'ABC-3', 'Revert "ABC-3"', 'ABC-77']
    expect((await enrich(messages, { deploymentId })).status).toBe(200)
    expect(await issuesOf(deploymentId)).toMatchObject([
      { key: 'ABC-1', state: 'linked', title: 'The basket forgets its currency' },
      { key: 'WEB2-2', state: 'linked', title: 'Show the delivery date' },
      { key: 'ABC-3', state: 'reverted' },
      { key: 'ABC-77', state: 'not_found' },
    ])
  })

  it('changes nothing when it is repeated', async () => {
    const deploymentId = await deploy('production')
    await enrich(['ABC-1', 'ABC-77'], { deploymentId })
    const before = await issuesOf(deploymentId)
    await enrich(['ABC-1', 'ABC-77'], { deploymentId })
    const withoutTime = (issues: object[]) => issues.map((issue) => ({ ...issue, fetchedAt: null }))
    expect(withoutTime(await issuesOf(deploymentId))).toEqual(withoutTime(before))
  })

  it('keeps the keys where Jira does not answer: they are looked up later', async () => {
    const deploymentId = await deploy('production')
    app.sandbox.faults.add({ provider: 'jira', request: 'POST /ex/jira', fault: { kind: 'cut' } })
    expect((await enrich(['ABC-1'], { deploymentId })).status).toBe(424)
    expect(await issuesOf(deploymentId)).toMatchObject([{ key: 'ABC-1', state: 'pending' }])
  })

  it('knows none that the caller does not reach, and leaves it as it is', async () => {
    const [live, other] = [await deploy('production'), await deploy('staging')]
    expect((await enrich(['ABC-1'], { deploymentId: live }, 'stagingKey')).status).toBe(404)
    expect((await enrich(['ABC-1'], { deploymentId: other }, 'stagingKey')).status).toBe(200)
    await app.test.asOwner('delete from integrations')
    await app.connect('org_2')
    expect((await enrich(['ABC-1'], { deploymentId: live }, 'stranger')).status).toBe(404)
    expect(await issuesOf(live)).toEqual([])
    expect(bulkCalls()).toBe(1)
  })
})

describe('a change of an issue', () => {
  const change = (key: string, externalId: string) =>
    recordIssueChange(
      {
        store: app.test.store,
        openTracker: app.openNode(),
        emit: async (_tx, event) => void app.emitted.push(event),
        now: app.deps.now,
      },
      { orgId: 'org_1' },
      { type: 'issueChanged', key, externalId },
    )
  const storedId = async (key: string) => {
    const [row] = await app.test.asOwner('select external_id from issues where key = $1', [key])
    return String(row?.['external_id'])
  }

  it('is shown at once on every deployment that names it, by its former key as well', async () => {
    const ids = [await deploy('production'), await deploy('staging')]
    for (const deploymentId of ids) await enrich(['ABC-2 Add'], { deploymentId })
    const id = await storedId('ABC-2')
    app.sandbox.jira.moveIssue('ABC-2', 'WEB2')
    app.emitted.length = 0
    expect(await change('WEB2-2', id)).toEqual({ outcome: 'done' })
    for (const deploymentId of ids) {
      expect(await issuesOf(deploymentId)).toMatchObject([{ key: 'WEB2-2', state: 'linked' }])
    }
    expect(app.emitted).toEqual(['issues.changed', 'issues.changed'])
  })

  it('links an issue that was opened after the commit that names it', async () => {
    const id = await deploy('production')
    await enrich(['ABC-4 Begin'], { deploymentId: id })
    expect(await issuesOf(id)).toMatchObject([{ key: 'ABC-4', state: 'not_found' }])
    const { key } = app.sandbox.jira.addIssue({ project: 'ABC', summary: 'Opened late' })
    expect(await change(key, '1')).toEqual({ outcome: 'done' })
    expect(await issuesOf(id)).toMatchObject([{ key, state: 'linked', title: 'Opened late' }])
  })

  it('asks for nothing that no deployment names', async () => {
    const calls = bulkCalls()
    expect(await change('ABC-1', '1')).toMatchObject({ outcome: 'ignored' })
    expect(bulkCalls()).toBe(calls)
  })
})

describe('what only looks like a key', () => {
  it('is no issue while all projects count', async () => {
    const { body } = await enrich(corpus)
    expect(body).toMatchObject({ keys: [], issues: [], notFound: [] })
    const ignored = body.ignored.map(({ key }: { key: string }) => key)
    expect(ignored).toEqual(expect.arrayContaining(lookalikes))
    for (const never of ['X-1', 'ABC-0', 'ABC-007', 'ABC-1', 'PROJ-1']) {
      expect(ignored).not.toContain(never)
    }
  })

  it('is no issue while some projects count, and is not asked for', async () => {
    await track(['ABC', 'WEB2'])
    const { body } = await enrich(corpus)
    expect(body).toMatchObject({ keys: [], issues: [], notFound: [] })
    expect(body.ignored.map(({ key }: { key: string }) => key)).toEqual(
      expect.arrayContaining(lookalikes),
    )
    expect(bulkCalls()).toBe(0)
  })

  it.each([
    ['UTF', 8],
    ['SHA', 256],
    ['ISO', 30],
    ['COVID', 19],
  ])('is an issue where there is a project %s that has it', async (project, number) => {
    const { jira } = app.sandbox
    jira.addProject({ key: project, name: 'A project of that name' })
    for (let count = 0; count < number; count += 1) {
      jira.addIssue({ project, summary: `Issue ${count + 1}` })
    }
    const key = `${project}-${number}`
    for (const chosen of [[], [project]]) {
      await track(chosen)
      const { body } = await enrich([`Work on ${key}`])
      expect(body).toMatchObject({ keys: [key], issues: [{ key, title: `Issue ${number}` }] })
    }
  })
})

describe('messages that are made to be slow', () => {
  const reading = { grammar: grammarOf(undefined), tracked: null, repository: null }
  const message = `Revert "${'ABC-1 '.repeat(20)}\n${'AB_'.repeat(40)}\n${'A-1'.repeat(40)}`
  const texts = (count: number) =>
    Array.from({ length: count }, () => ({ source: 'api' as const, sha: null, text: message }))

  /** Counts how often a pattern is put to a text: what is done at each place of it is bounded by the pattern. */
  function countMatches(work: () => unknown): number {
    const spied = vi.spyOn(RegExp.prototype, 'exec')
    try {
      work()
      return spied.mock.calls.length
    } finally {
      spied.mockRestore()
    }
  }

  it('take work in proportion to their number', () => {
    const linear = (count: number) => countMatches(() => findIssueKeys(texts(count), reading))
    expect(linear(20)).toBeGreaterThan(20)
    expect(linear(40)).toBe(2 * linear(20))
    expect(linear(80)).toBe(4 * linear(20))
  })

  it('control: reading all of them anew for each takes more', () => {
    const quadratic = (count: number) =>
      countMatches(() => texts(count).map((_, at) => findIssueKeys(texts(at + 1), reading)))
    expect(quadratic(40)).toBeGreaterThan(3 * quadratic(20))
  })

  it('ask Jira ten times at most, however many keys they name', async () => {
    const many = Array.from(
      { length: 1000 },
      (_, at) => `ABC-${at + 1} WEB2-${at + 1} UTF-${at + 1}`,
    )
    const { status, body } = await enrich(many)
    expect([status, body.keys.length, body.ignored.length]).toEqual([200, 334, 166])
    expect(body.notLookedUp).toHaveLength(2_500)
    expect(bulkCalls()).toBeLessThanOrEqual(10)
  })
})
