import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { orderByRank, type ReportedState } from '../../providers/codehosts/deployment.ts'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import { recordCodehostEvent, recordFoundDeployment } from './record-codehost-event.ts'
import {
  at,
  buildDeployment,
  buildStatus,
  created,
  openDeployments,
  reported,
  shop,
  type TestDeployments,
} from '../testing/open-deployments.ts'
import { readRecords } from '../testing/read-records.ts'

let app: TestDeployments
let orgId: string
let numbered: number

beforeAll(async () => {
  app = await openDeployments()
})
beforeEach(async () => {
  ;({ orgId } = await app.addOrganization())
  app.emitted.length = 0
  numbered = 10
})
afterAll(() => app.close())

const sha = 'f'.repeat(40)
const record = (event: CodehostEvent, of = orgId) =>
  recordCodehostEvent(app.deps, { orgId: of, event, source: 'webhook' })

/** A job of run 4711, as GitHub reports it. */
const job = (number: number, name: string, overrides = {}) =>
  buildDeployment(number, { sha, run: { id: '4711/1', job: name }, ...overrides })

const say = (of: ReturnType<typeof job>, state: ReportedState, environmentUrl = null) =>
  reported(of, buildStatus((numbered += 1), state, { environmentUrl }))
const read = () => readRecords(app.test, orgId)
const states = async () => (await read()).map(({ state }) => state)
const succeeded = () => app.emitted.filter(({ event }) => event === 'deployment.succeeded').length

describe('the jobs of one run that deploy a commit to an environment', () => {
  it('are one deployment, which goes on until the last has ended and succeeds once', async () => {
    const [api, web] = [job(1, 'deploy (api)'), job(2, 'deploy (web)')]
    await record(created(api))
    await record(created(web))
    expect(await states()).toEqual(['pending'])
    await record(say(api, 'in_progress'))
    await record(say(api, 'success'))
    expect(await states()).toEqual(['in_progress'])
    expect(succeeded()).toBe(0)
    await record(say(web, 'success'))
    // As GitHub makes it when the other one succeeds. It is no webhook, so a sync brings it.
    await record(say(api, 'inactive'))
    expect(await read()).toMatchObject([
      { state: 'success', started_at: at(11), succeeded_at: at(13), finished_at: at(13) },
    ])
    expect(succeeded()).toBe(1)
  })

  it('have failed where one has, and only once all have ended', async () => {
    const [api, web] = [job(1, 'deploy (api)'), job(2, 'deploy (web)')]
    await record(say(api, 'failure'))
    expect(await states()).toEqual(['failure'])
    await record(say(web, 'in_progress'))
    expect(await states()).toEqual(['in_progress'])
    await record(say(web, 'success'))
    expect(await read()).toMatchObject([
      { state: 'failure', succeeded_at: null, finished_at: at(13) },
    ])
    expect(succeeded()).toBe(0)
  })

  it('go on where a later one follows, and the deployment before is the base all the time', async () => {
    const before = buildDeployment(1)
    await record(say(before, 'success'))
    const [migrate, web] = [job(2, 'migrate'), job(3, 'web')]
    await record(say(migrate, 'success'))
    expect(await states()).toEqual(['superseded', 'success'])
    await record(created(web))
    expect(await states()).toEqual(['success', 'in_progress'])
    await record(say(web, 'success'))
    expect(await read()).toMatchObject([
      { state: 'superseded', next: '1002' },
      { state: 'success', previous: '1001', succeeded_at: at(13) },
    ])
  })

  it('are replaced together by the next deployment', async () => {
    const [api, web, next] = [job(1, 'api'), job(2, 'web'), buildDeployment(3)]
    for (const each of [api, web, next]) await record(say(each, 'success'))
    for (const each of [api, web]) await record(say(each, 'inactive'))
    expect(await states()).toEqual(['superseded', 'success'])
  })

  it('are one in whatever order their events come, and however often', async () => {
    const [api, web] = [job(1, 'api'), job(2, 'web')]
    const events = [
      created(api),
      created(web),
      say(api, 'in_progress'),
      say(web, 'in_progress'),
      say(api, 'success'),
      say(web, 'success'),
      say(api, 'inactive'),
    ]
    const strip = (records: Record<string, unknown>[]) =>
      records.map(({ external_id: _first, ...rest }) => rest)
    for (const event of events) await record(event)
    const right = strip(await read())
    expect(right).toMatchObject([{ state: 'success' }])
    const arrivals = fc
      .subarray(events)
      .chain((again) =>
        fc.shuffledSubarray([...events, ...again], { minLength: events.length + again.length }),
      )
    await fc.assert(
      fc.asyncProperty(arrivals, async (arriving) => {
        const other = await app.addOrganization()
        for (const event of arriving) await record(event, other.orgId)
        expect(strip(await readRecords(app.test, other.orgId))).toEqual(right)
      }),
      { numRuns: 4, seed: 20_261_129 },
    )
  })
})

describe('deployments of their own', () => {
  it.each([
    ['of another attempt of the run', { run: { id: '4711/2', job: 'web' } }],
    ['of another commit', { sha: 'e'.repeat(40) }],
    ['to another environment', { environment: 'staging' }],
    ['of another task', { task: 'deploy:migrations' }],
    ['that no run made', { run: null }],
  ])('are those %s', async (_what, overrides) => {
    await record(created(job(1, 'api')))
    await record(created(job(2, 'web', overrides)))
    expect(await read()).toHaveLength(2)
  })

  it('are those after which something else was deployed there', async () => {
    await record(created(job(1, 'api')))
    await record(created(buildDeployment(2)))
    await record(created(job(3, 'web')))
    expect(await read()).toHaveLength(3)
  })

  // GitLab's pipelines have no attempts, and its statuses have numbers that are the same for each job.
  it('are those of a job that is run again, as a rollback on GitLab is', async () => {
    const find = (number: number, name: string, end: ReportedState) =>
      app.deps.store.transaction({ orgId }, (tx) =>
        recordFoundDeployment(app.deps, tx, {
          orgId,
          repository: shop,
          deployment: buildDeployment(number, { sha, run: { id: '77', job: name } }),
          statuses: [
            buildStatus(number, 'in_progress', { externalId: orderByRank(3) }),
            buildStatus(number, end, { externalId: orderByRank(4, at(50)) }),
          ],
          recentSince: at(0),
        }),
      )
    await find(1, 'api', 'success')
    await find(2, 'web', 'failure')
    expect(await states()).toEqual(['failure'])
    await find(3, 'web', 'success')
    await find(4, 'api', 'success')
    expect(await states()).toEqual(['failure', 'success'])
    // Found again, as every sync does.
    await find(2, 'web', 'failure')
    await find(4, 'api', 'success')
    expect(await states()).toEqual(['failure', 'success'])
  })
})
