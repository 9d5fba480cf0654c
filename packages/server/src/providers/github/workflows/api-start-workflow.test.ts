import { describe, expect, it } from 'vitest'
import { openGithub } from '../testing/open-github.ts'

const testRunId = 'run_01jd2m4x9k0000000000000000'

async function openWorkflow(inputs: readonly string[] | undefined = ['sha', 'test_run_id']) {
  const opened = await openGithub()
  const { github, repository, repositoryId, api, sandbox, asked, endless } = opened
  const workflow = github.activity.addWorkflow(repository, {
    name: 'E2E',
    file: 'e2e.yml',
    ...(inputs !== undefined && { inputs }),
    runName: 'e2e ${{ inputs.test_run_id }}',
  })
  const place = `POST /repositories/${repositoryId}/actions/workflows/e2e.yml/dispatches`
  return {
    ...opened,
    workflow,
    runs: () => [...repository.runs.values()],
    dispatches: () => asked().filter((request) => request === place).length,
    fail: (fault: Parameters<typeof sandbox.faults.add>[0]['fault']) => {
      if (fault.kind === 'hang' || fault.kind === 'drip') endless.add('/dispatches')
      sandbox.faults.add({ provider: 'github', request: place, fault })
    },
    start: (ref = 'main', given: Record<string, string> = { sha: 'a', test_run_id: testRunId }) =>
      api.workflows.start(repositoryId, { workflowId: 'e2e.yml', ref, inputs: given }),
  }
}

describe('startWorkflow', () => {
  it('starts one run, of which it knows the number', async () => {
    const { start, runs, api, repositoryId, workflow } = await openWorkflow()
    const begun = await start()
    const [run] = runs()
    expect(begun).toMatchObject({ outcome: 'started', runId: String(run?.id) })
    expect(run?.inputs).toEqual({ sha: 'a', test_run_id: testRunId })
    expect(await api.workflows.findRun(repositoryId, String(run?.id))).toMatchObject({
      workflowId: String(workflow.id),
      isRequested: true,
    })
  })

  it.each([
    ['the answer is cut off', { kind: 'cut' }, 1],
    ['the answer never comes', { kind: 'hang' }, 1],
    ['the answer comes byte by byte', { kind: 'drip', everyMs: 100 }, 1],
    ['the connection is closed before', { kind: 'drop' }, 0],
    ['a 502 comes', { kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }, 0],
  ] as const)('is ambiguous when %s, and never sent again', async (_what, fault, started) => {
    const { start, fail, runs, dispatches, sandbox, api, repositoryId } = await openWorkflow()
    fail(fault)
    const from = sandbox.clock.now()
    expect(await start()).toEqual({ outcome: 'ambiguous' })
    expect(runs()).toHaveLength(started)
    expect(dispatches()).toBe(1)
    const of = { workflowId: 'e2e.yml', from, to: sandbox.clock.now() }
    const found = await api.workflows.listRequestedRuns(repositoryId, of)
    expect(found.runs.map(({ correlation }) => correlation)).toEqual(
      started === 1 ? [testRunId] : [],
    )
  })

  it('is not surely found where there are as many runs as GitHub lists of a time', async () => {
    const { start, api, github, repository, repositoryId, workflow, sandbox } = await openWorkflow()
    const from = sandbox.clock.now()
    await start()
    const actor = github.state.accounts.get('ada')
    if (actor === undefined) throw new Error('The seed has lost its account')
    const startOthers = (count: number) => {
      const of = { workflow, event: 'workflow_dispatch', ref: 'main', actor } as const
      for (let nth = 0; nth < count; nth += 1) github.activity.requestRun(repository, of)
    }
    const search = () =>
      api.workflows.listRequestedRuns(repositoryId, {
        workflowId: 'e2e.yml',
        from,
        to: sandbox.clock.now(),
      })
    startOthers(899)
    expect(await search()).toMatchObject({ runs: { length: 900 }, isComplete: true })
    startOthers(1)
    expect(await search()).toMatchObject({ isComplete: false })
  })

  it.each([
    ['204, as older servers do', { kind: 'answer', status: 204 }],
    ['a page', { kind: 'answer', status: 200, body: '<html></html>' }],
  ] as const)('is ambiguous when the answer is %s', async (_what, fault) => {
    const { start, fail, dispatches } = await openWorkflow()
    fail(fault)
    expect(await start()).toEqual({ outcome: 'ambiguous' })
    expect(dispatches()).toBe(1)
  })

  it('leaves out the inputs that the workflow does not declare', async () => {
    const { start, runs, dispatches } = await openWorkflow(['sha'])
    expect(await start('main', { sha: 'a', environment: 'live', test_run_id: 'x' })).toMatchObject({
      outcome: 'started',
    })
    expect(runs().map(({ inputs }) => inputs)).toEqual([{ sha: 'a' }])
    expect(dispatches()).toBe(2)
  })

  it('leaves out all of them when it is not said which are not declared', async () => {
    const { start, fail, runs } = await openWorkflow()
    const body = JSON.stringify({ message: 'Unexpected inputs provided.' })
    fail({ kind: 'answer', status: 422, body })
    expect(await start()).toMatchObject({ outcome: 'started' })
    expect(runs().map(({ inputs }) => inputs)).toEqual([{}])
  })

  it('stops when inputs are refused although there are none', async () => {
    const { start, fail, runs, dispatches } = await openWorkflow()
    const body = JSON.stringify({ message: 'Unexpected inputs provided: ["sha"]' })
    for (let count = 0; count < 5; count += 1) fail({ kind: 'answer', status: 422, body })
    expect(await start()).toMatchObject({ outcome: 'refused', error: { code: 'http_422' } })
    expect([runs().length, dispatches()]).toEqual([0, 3])
  })

  it('says why it is refused', async () => {
    const { start, workflow, api, repositoryId } = await openWorkflow()
    expect(await start('nowhere')).toMatchObject({
      outcome: 'refused',
      error: { code: 'ref_not_found' },
    })
    workflow.state = 'disabled_manually'
    expect(await start()).toMatchObject({
      outcome: 'refused',
      error: { code: 'workflow_disabled' },
    })
    const other = { workflowId: 'other.yml', ref: 'main', inputs: {} }
    expect(await api.workflows.start(repositoryId, other)).toMatchObject({
      outcome: 'refused',
      error: { code: 'not_found' },
    })
    const without = await openWorkflow([])
    without.github.activity.addWorkflow(without.repository, { name: 'CI', file: 'ci.yml' })
    const ci = { workflowId: 'ci.yml', ref: 'main', inputs: {} }
    expect(await without.api.workflows.start(without.repositoryId, ci)).toMatchObject({
      outcome: 'refused',
      error: { code: 'no_dispatch_trigger' },
    })
  })

  it('fails, and has started nothing, where there is no token to ask with', async () => {
    const { start, sandbox, runs, dispatches } = await openWorkflow()
    sandbox.faults.add({ provider: 'github', request: 'POST /app/', fault: { kind: 'cut' } })
    await expect(start()).rejects.toMatchObject({ failure: 'unavailable' })
    expect([runs().length, dispatches()]).toEqual([0, 0])
  })

  it('sends once more with another token when one is refused, which has started nothing', async () => {
    const { start, github, api, repositoryId, runs } = await openWorkflow()
    await api.workflows.list(repositoryId)
    github.tokens.reset()
    expect(await start()).toMatchObject({ outcome: 'started' })
    expect(runs()).toHaveLength(1)
  })
})
