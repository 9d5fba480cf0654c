import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'

type GitlabTestCase = Parameters<OpenGitlab['gitlab']['activity']['setTestReport']>[1][number]

let opened: OpenGitlab
let shop: ReturnType<OpenGitlab['addShop']>

beforeAll(async () => {
  opened = await openGitlab()
})
beforeEach(() => {
  opened.sandbox.reset()
  shop = opened.addShop()
})
afterAll(() => opened.close())

const test = (name: string, status: GitlabTestCase['status'], systemOutput?: string) => ({
  name,
  status,
  classname: 'shop',
  executionTime: 0.25,
  ...(systemOutput !== undefined && { systemOutput }),
})

/** Ends a pipeline whose jobs declared these tests. */
function endPipeline(tests?: readonly GitlabTestCase[], suiteError?: string): string {
  const { activity } = opened.gitlab
  const pipeline = activity.startPipeline(shop.project, { ref: 'main', user: shop.user })
  if (tests !== undefined) activity.setTestReport(pipeline, tests, suiteError)
  activity.setPipelineStatus(shop.project, pipeline, 'success')
  return String(pipeline.id)
}

const read = (runId: string) => opened.apiWith(['read_api']).testReports.read(shop.id, runId)

describe('the test report of a pipeline', () => {
  it('is read with the least access, with its sums and its tests', async () => {
    const runId = endPipeline([
      test('pays', 'success'),
      test('refunds', 'failed', 'got 0'),
      test('ships', 'error', 'no route'),
      test('gifts', 'skipped'),
    ])
    expect(await read(runId)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 1,
      durationMs: 1_000,
      cases: [
        { suite: 'shop', name: 'pays', status: 'passed', durationMs: 250, message: null },
        { suite: 'shop', name: 'refunds', status: 'failed', durationMs: 250, message: 'got 0' },
        { suite: 'shop', name: 'ships', status: 'failed', durationMs: 250, message: 'no route' },
        { suite: 'shop', name: 'gifts', status: 'skipped', durationMs: 250, message: null },
      ],
    })
  })

  it('says where GitLab could not read the report of a job, with and without tests of others', async () => {
    const suiteError = 'JUnit XML parsing failed: 1:1: Document is empty'
    const unread = `GitLab on test: ${suiteError}`
    expect(await read(endPipeline([test('pays', 'success')], suiteError))).toMatchObject({
      passed: 1,
      unread,
    })
    expect(await read(endPipeline([], suiteError))).toMatchObject({ passed: 0, cases: [], unread })
  })

  it('is none where no job declares one, which one small question tells', async () => {
    const runId = endPipeline()
    const before = opened.sent.length
    expect(await read(runId)).toBeUndefined()
    expect(opened.sent.slice(before)).toHaveLength(1)
    expect(await read('999999')).toBeUndefined()
  })

  it('is read by its sums alone where it has too many tests, or they are too large', async () => {
    const limits = { casesMax: 3, bytesMax: 4096 }
    const readWithin = (runId: string) =>
      opened.apiWith(['read_api'], 'ada', limits).testReports.read(shop.id, runId)
    const many = Array.from({ length: 4 }, (_, n) => test(`t${n}`, 'success'))
    const before = opened.sent.length
    expect(await readWithin(endPipeline(many))).toMatchObject({ passed: 4, cases: [] })
    expect(opened.sent.slice(before).filter((line) => line.endsWith('/test_report'))).toEqual([])
    const large = [test('t', 'failed', 'x'.repeat(4096))]
    expect(await readWithin(endPipeline(large))).toMatchObject({ failed: 1, cases: [] })
    const fits = [...many.slice(2), test('t', 'failed', 'x'.repeat(1024))]
    expect(await readWithin(endPipeline(fits))).toMatchObject({ passed: 2, cases: { length: 3 } })
  })
})
