import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import type { GitlabApi } from './api.ts'
import { parseCiFile } from './ci-file.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'

let opened: OpenGitlab
let api: GitlabApi
let shop: ReturnType<OpenGitlab['addShop']>
const jobs = [{ name: 'e2e', stage: 'test', environment: undefined }]
const mark = newId('run', new Date())

beforeAll(async () => {
  opened = await openGitlab()
})
beforeEach(() => {
  opened.sandbox.reset()
  shop = opened.addShop()
  api = opened.apiWith(['api'])
})
afterAll(() => opened.close())

/** The CI file with these inputs. */
function declare(inputs: readonly { readonly name: string; readonly default?: string }[]): void {
  const workflowName = 'e2e $[[ inputs.test_run_id ]]'
  const named = inputs.length > 0 && { workflowName }
  opened.gitlab.activity.setCi(shop.project, { inputs, jobs, ...named })
}

const start = (inputs: Record<string, string>, ref = 'main') =>
  api.workflows.start(shop.id, { workflowId: 'pipeline', ref, inputs })

const search = () =>
  api.workflows.listRequestedRuns(shop.id, {
    workflowId: 'pipeline',
    from: new Date(opened.sandbox.clock.now().getTime() - 60_000),
    to: new Date(opened.sandbox.clock.now().getTime() + 60_000),
  })
const findRuns = async () => (await search()).runs

const posts = () => opened.sent.filter((line) => line.startsWith('POST'))

describe('starting a pipeline', () => {
  it('gives it the inputs that its file declares, and is found again by its mark', async () => {
    declare([{ name: 'test_run_id' }, { name: 'browser', default: 'firefox' }])
    const before = posts().length
    const started = await start({ test_run_id: mark, environment: 'staging' })
    expect(started).toMatchObject({ outcome: 'started' })
    expect(posts()).toHaveLength(before + 1)
    expect(await findRuns()).toMatchObject([{ correlation: mark, isByApp: true }])
    const runId = started.outcome === 'started' ? started.runId : ''
    expect(await api.workflows.findRun(shop.id, runId)).toMatchObject({
      externalId: runId,
      state: 'queued',
    })
    expect(await api.workflows.findRun(shop.id, '999999')).toBeUndefined()
  })

  it('of the ref of a merge request starts it on its branch, and on the default branch where that is not here', async () => {
    declare([])
    const { project } = shop
    const head = project.branches.get('main') ?? ''
    project.branches.set('feature', head)
    const { activity } = opened.gitlab
    const author = shop.user
    const fork = activity.forkProject(project, { fullPath: 'ada/shop' })
    const gone = activity.forkProject(project, { fullPath: 'grace/shop' })
    for (const from of [project, fork, gone]) {
      activity.openMergeRequest(project, { author, branch: 'feature', from })
    }
    activity.deleteProject(gone)
    const refs = []
    for (const number of [1, 2, 3, 4]) {
      const started = await start({}, `refs/merge-requests/${number}/merge`)
      const id = started.outcome === 'started' ? Number(started.runId) : 0
      refs.push(project.pipelines.get(id)?.ref)
    }
    expect(refs).toEqual(['feature', 'main', 'main', 'main'])
  })

  it.each([
    ['is cut off', { kind: 'cut' }],
    ['is that of a proxy', { kind: 'answer', status: 502 }],
  ] as const)('is asked for once when the answer %s', async (_what, fault) => {
    declare([{ name: 'test_run_id' }])
    const before = posts().length
    opened.sandbox.faults.add({ provider: 'gitlab', request: 'POST ', fault })
    expect(await start({ test_run_id: mark })).toEqual({ outcome: 'ambiguous' })
    expect(posts()).toHaveLength(before + 1)
    // Looks for what was cut off; the proxy has passed nothing on.
    const correlations = (await findRuns()).map(({ correlation }) => correlation)
    expect(correlations).toEqual(fault.kind === 'cut' ? [mark] : [])
  })

  it('gives variables only to a file without inputs, where the project takes them', async () => {
    declare([])
    expect(await start({ test_run_id: mark })).toMatchObject({
      outcome: 'refused',
      error: { code: 'variables_forbidden' },
    })
    shop.project.variablesRole = 'developer'
    expect(await start({ test_run_id: mark })).toMatchObject({ outcome: 'started' })
    expect(await findRuns()).toMatchObject([{ correlation: mark }])
  })

  it('gives variables to a version without inputs, and says what to do where it takes none', async () => {
    declare([{ name: 'test_run_id', default: '' }])
    shop.project.variablesRole = 'developer'
    opened.gitlab.settings.version = '17.11.2-ee'
    expect(await start({ test_run_id: mark })).toMatchObject({ outcome: 'started' })
    expect(await findRuns()).toMatchObject([{ correlation: mark }])
    shop.project.variablesRole = 'no_one_allowed'
    const refused = await start({ test_run_id: mark })
    expect(refused).toMatchObject({ outcome: 'refused', error: { code: 'variables_only' } })
    // It is upgraded while it is connected.
    opened.gitlab.settings.version = '18.1.0'
    expect(await start({ test_run_id: mark })).toMatchObject({ outcome: 'started' })
  })

  it.each([
    ['no such branch', { test_run_id: mark }, 'nowhere', 'ref_not_found'],
    ['a missing input', {}, 'main', 'input_required'],
  ] as const)('is refused for %s', async (_what, inputs, ref, code) => {
    declare([{ name: 'test_run_id' }])
    expect(await start({ ...inputs }, ref)).toMatchObject({ outcome: 'refused', error: { code } })
  })

  it('is refused for an access that only reads, before anything starts', async () => {
    declare([{ name: 'test_run_id' }])
    const reading = opened.apiWith(['read_api'])
    const request = { workflowId: 'pipeline', ref: 'main', inputs: { test_run_id: mark } }
    expect(await reading.workflows.start(shop.id, request)).toMatchObject({
      outcome: 'refused',
      error: { code: 'forbidden' },
    })
    expect((await reading.workflows.list(shop.id))[0]?.state).toBe('read_only')
  })
})

describe('the inputs of a CI file', () => {
  it('are read on the default branch', async () => {
    declare([{ name: 'test_run_id' }, { name: 'browser', default: 'firefox' }])
    expect(await api.workflows.readInterface(shop.id, { workflowId: 'pipeline' })).toMatchObject({
      isStartable: true,
      inputs: [
        { name: 'test_run_id', isRequired: true },
        { name: 'browser', isRequired: false, default: 'firefox' },
      ],
    })
  })

  it('stand in the header alone', () => {
    const read = (text: string) => parseCiFile(Buffer.from(text))?.inputs
    expect(read('test:\n  script: "true"\n')).toEqual([])
    expect(
      read('# a comment\nspec:\n  inputs:\n    a:\n      options: [x, y]\n---\n'),
    ).toMatchObject([{ name: 'a', type: 'choice', options: ['x', 'y'], isRequired: true }])
    expect(
      read('spec: {inputs: {n: {type: number, default: 3}, l: {type: array}}}\n---\n'),
    ).toMatchObject([
      { name: 'n', type: 'number', default: '3', isRequired: false },
      { name: 'l', type: 'unknown' },
    ])
    expect(read(`spec:\n  inputs: ${'['.repeat(9_000)}\n---\n`)).toBeUndefined()
    expect(read('test:\n  inputs: 1\n---\nspec:\n  inputs:\n    a:\n')).toEqual([])
  })
})

describe('which inputs every pipeline shows', () => {
  const shown = async () =>
    (await api.workflows.readInterface(shop.id, { workflowId: 'pipeline' }))?.shownInputs
  const named = (name: string) =>
    parseCiFile(
      Buffer.from(
        `spec:\n  inputs:\n    test_run_id:\n    sha:\n---\nworkflow:\n  name: ${name}\n  rules: [{ if: $CI }]\ne2e:\n  name: $[[ inputs.sha ]]\n`,
      ),
    )?.namedInputs

  it('are those in its name, and all of them where it gets variables', async () => {
    declare([{ name: 'test_run_id' }, { name: 'browser', default: 'firefox' }])
    expect(await shown()).toEqual(['test_run_id'])
    const asked = () => opened.sent.filter((line) => line.includes('/version')).length
    const before = asked()
    expect(await shown()).toEqual(['test_run_id'])
    // The version is asked for once by who opens the connection.
    expect(asked()).toBe(before)
    // Older versions get variables, and so does a file without inputs.
    opened.gitlab.settings.version = '17.11.2-ee'
    api = opened.apiWith(['api'])
    expect(await shown()).toBe('all')
    opened.gitlab.settings.version = '18.1.0'
    api = opened.apiWith(['api'])
    declare([])
    expect(await shown()).toBe('all')
  })

  it.each([
    ["'E2E $[[ inputs.test_run_id ]]'", ['test_run_id']],
    ['$[[inputs.sha]] $[[ inputs.test_run_id ]]', ['test_run_id', 'sha']],
    ["'E2E $[[ inputs.test_run_id | truncate(0, 8) ]]'", []],
    ["'E2E $[[ inputs.other ]]'", []],
    [`'${'long '.repeat(50)}$[[ inputs.test_run_id ]]'`, []],
    ['[E2E]', []],
  ])('are read from the name %s', (name, inputs) => {
    expect(named(name)).toEqual(inputs)
  })

  it('are none where the file has no name, or the name is that of a job', () => {
    expect(parseCiFile(Buffer.from('spec:\n  inputs:\n    a:\n---\ne2e:\n  name: $[[ inputs.a ]]\n')))
      .toMatchObject({ inputs: [{ name: 'a' }], namedInputs: [] }) // prettier-ignore
  })
})

describe('the pipelines of a span of time', () => {
  it('are all of them, also where there are more than a page', async () => {
    declare([{ name: 'test_run_id' }])
    await start({ test_run_id: mark })
    for (let nth = 0; nth < 120; nth += 1) {
      opened.gitlab.activity.startPipeline(shop.project, {
        ref: 'main',
        user: shop.user,
        source: 'api',
      })
    }
    const { runs, isComplete } = await search()
    expect([runs.length, isComplete]).toEqual([121, true])
    expect(runs.filter(({ correlation }) => correlation === mark)).toHaveLength(1)
  })

  it('are not all listed when one cannot be read, which the answer says', async () => {
    const request = `GET /projects/${shop.project.id}/pipelines`
    const fault = { kind: 'answer', status: 200, body: '[{"id":null}]' } as const
    opened.sandbox.faults.add({ provider: 'gitlab', request, fault })
    expect(await search()).toEqual({ runs: [], isComplete: false })
  })

  it('are not all listed where there are more than five pages, which the answer says', async () => {
    for (let nth = 0; nth < 501; nth += 1) {
      const { ref, user } = { ref: 'main', user: shop.user }
      opened.gitlab.activity.startPipeline(shop.project, { ref, user, source: 'api' })
    }
    const { runs, isComplete } = await search()
    expect([runs.length, isComplete]).toEqual([500, false])
  })
})
