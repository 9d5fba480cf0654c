import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import type { CodehostApi } from '../codehost.ts'
import { createForgejoApi } from './api.ts'
import { openForgejo, type OpenForgejo } from './testing/open-forgejo.ts'

const full = ['write:repository', 'read:repository', 'read:user']
const testRun = 'run_01j9zq3v7w8x9y0a1b2c3d4e5f'

let app: OpenForgejo
let api: CodehostApi
let shop: ReturnType<OpenForgejo['addShop']>

beforeAll(async () => {
  app = await openForgejo()
})
afterAll(() => app.close())
beforeEach(() => {
  app.sandbox.reset()
  shop = app.addShop()
  api = app.apiWith(full)
  app.sent.length = 0
})

const push = (message: string, branch = 'main', to?: string) =>
  app.forgejo.activity.push(shop.repository, {
    branch,
    user: shop.user,
    commits: [{ message }],
    ...(to !== undefined && { to }),
  }).sha

describe('repositories', () => {
  it('are those of the person, page by page, without the archived ones', async () => {
    app.forgejo.settings.pageItemsMax = 2
    for (const name of ['acme/api', 'acme/old', 'acme/web']) {
      const { isArchived: _is, ...made } = app.forgejo.activity.addRepository({ fullName: name })
      if (name === 'acme/old') {
        const old = app.forgejo.state.repositories.get(made.id)
        if (old !== undefined) old.isArchived = true
      }
    }
    const first = await api.listRepositories()
    const second = await api.listRepositories(first.nextPage)
    expect([...first.items, ...second.items]).toMatchObject([
      {
        externalId: shop.id,
        fullName: 'acme/shop',
        defaultBranch: 'main',
        url: `${app.webUrl}/acme/shop`,
      },
      { fullName: 'acme/api' },
      { fullName: 'acme/web' },
    ])
    expect([first.nextPage, second.nextPage, first.total]).toEqual(['2', undefined, 4])
  })

  it('are found under their new name, by one more question', async () => {
    const sha = push('ABC-1 Count baskets')
    await api.commits.get(shop.id, sha)
    app.forgejo.activity.rename(shop.repository, 'acme/store')
    expect(await api.commits.get(shop.id, sha)).toMatchObject({ sha })
    app.sent.length = 0
    await api.commits.get(shop.id, sha)
    expect(app.sent).toEqual([expect.stringContaining('/repos/acme/store/git/commits/')])
  })

  it('of another instance are not asked for', async () => {
    const other = shop.id.replace(/^[^/]+/, 'git.example.com')
    await expect(api.commits.get(other, 'a'.repeat(40))).rejects.toMatchObject({
      failure: 'notFound',
      code: 'other_instance',
    })
    expect(app.sent).toEqual([])
  })

  it('are not asked for in a private network that the operator has not allowed', async () => {
    const egress = createEgress({ allow: [] })
    const { log, clock } = app.sandbox
    const outside = createForgejoApi({
      call: { provider: 'forgejo', egress, now: () => clock.now() },
      webUrl: app.webUrl,
      withAccessToken: (send) => send('a token'),
      scopes: full,
      accountId: 'ada',
    })
    const before = log.list().length
    await expect(outside.listRepositories()).rejects.toThrow('forgejo: ')
    expect(log.list()).toHaveLength(before)
    // Control: the same address, allowed.
    await api.listRepositories()
    expect(log.list().length).toBeGreaterThan(before)
    await egress.close()
  })

  it('have no deployments and no environments, so nothing is asked for', () => {
    expect(api.deployments).toBeUndefined()
  })
})

describe('the commits between two', () => {
  it('are told with their direction, oldest first', async () => {
    const base = push('ABC-1 Count baskets')
    const one = push('ABC-2 Show the date')
    const head = push('ABC-3 Remove the old checkout\n\nFor good.')
    const aside = push('Fix a price', 'hotfix', base)
    const shasOf = async (from: string, to: string) => {
      const { commits, ...rest } = await api.commits.compare(shop.id, from, to)
      return { ...rest, shas: commits.map(({ sha }) => sha) }
    }
    expect(await shasOf(base, head)).toEqual({
      status: 'ahead',
      total: 2,
      isTruncated: false,
      shas: [one, head],
    })
    expect(await shasOf(head, base)).toMatchObject({ status: 'behind', shas: [one, head] })
    expect(await shasOf(head, aside)).toMatchObject({ status: 'diverged', shas: [aside] })
    expect(await shasOf(head, head)).toMatchObject({ status: 'identical', shas: [] })
    const { commits } = await api.commits.compare(shop.id, one, head)
    expect(commits).toMatchObject([
      {
        message: 'ABC-3 Remove the old checkout\n\nFor good.\n',
        author: { name: 'Ada', login: 'ada' },
        url: `${app.webUrl}/acme/shop/commit/${head}`,
      },
    ])
  })

  it('are read page by page', async () => {
    app.forgejo.settings.pageItemsMax = 3
    const base = push('The first')
    const shas = Array.from({ length: 7 }, (_, index) => push(`Change ${index}`))
    const { commits, total } = await api.commits.compare(shop.id, base, shas.at(-1) ?? '')
    expect(commits.map(({ sha }) => sha)).toEqual(shas)
    expect(total).toBe(7)
  })

  it('are not found after a forced push, and are no trouble of the instance', async () => {
    const head = push('ABC-1 Count baskets')
    for (const [from, to] of [
      ['0'.repeat(40), head],
      [head, '0'.repeat(40)],
    ] as const) {
      await expect(api.commits.compare(shop.id, from, to)).rejects.toMatchObject({
        failure: 'notFound',
      })
    }
  })
})

describe.each(['forgejo', 'gitea'] as const)('workflows at %s', (product) => {
  beforeEach(() => {
    app.forgejo.settings.product = product
    if (product === 'gitea') shop.repository.workflowFolder = '.gitea/workflows'
    app.forgejo.activity.setWorkflow(shop.repository, {
      file: 'e2e.yml',
      name: 'E2E',
      runName: 'E2E ${{ inputs.test_run_id }}',
      inputs: [{ name: 'test_run_id' }, { name: 'sha', description: 'What to test' }],
    })
    app.forgejo.activity.setWorkflow(shop.repository, {
      file: 'ci.yml',
      name: 'CI',
      inputs: undefined,
    })
  })
  const start = (more: object = {}) =>
    api.workflows.start(shop.id, {
      workflowId: 'e2e.yml',
      ref: 'main',
      inputs: { test_run_id: testRun, unknown: 'x' },
      ...more,
    })
  const wide = () => ({
    from: new Date(app.sandbox.clock.now().getTime() - 60_000),
    to: new Date(app.sandbox.clock.now().getTime() + 60_000),
  })

  it('are listed, and say what they take', async () => {
    expect(await api.workflows.list(shop.id)).toMatchObject([
      { externalId: 'e2e.yml', state: 'active' },
      { externalId: 'ci.yml' },
    ])
    const read = await api.workflows.readInterface(shop.id, { workflowId: 'e2e.yml' })
    expect(read).toMatchObject({
      isStartable: true,
      inputs: [{ name: 'test_run_id' }, { name: 'sha', description: 'What to test' }],
      // Forgejo keeps all of them, and Gitea shows what stands in the title.
      shownInputs: product === 'forgejo' ? ['test_run_id', 'sha'] : ['test_run_id'],
    })
    const other = await api.workflows.readInterface(shop.id, { workflowId: 'ci.yml' })
    expect(other).toMatchObject({ isStartable: false })
    expect(await api.workflows.readInterface(shop.id, { workflowId: 'no.yml' })).toBeUndefined()
  })

  it('are started once, with the number of the run, and are found again by our id', async () => {
    const started = await start()
    const [run] = shop.repository.runs.values()
    expect(started).toMatchObject({ outcome: 'started', runId: String(run?.id) })
    // Forgejo's answer has no address.
    const address = 'runUrl' in started ? started.runUrl : undefined
    expect(address === null).toBe(product === 'forgejo')
    expect(address ?? '/actions/runs/').toContain('/actions/runs/')
    // With the inputs that it declares, and no others.
    const asked = app.sandbox.log.list().find(({ method }) => method === 'POST')
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ inputs: { test_run_id: testRun } })
    expect(asked?.body).not.toContain('unknown')
    expect(app.sent.filter((line) => line.startsWith('POST'))).toHaveLength(1)
    const { runs: found } = await api.workflows.listRequestedRuns(shop.id, {
      workflowId: 'e2e.yml',
      ...wide(),
    })
    expect(found).toMatchObject([
      {
        externalId: String(run?.id),
        workflowId: 'e2e.yml',
        correlation: testRun,
        isRequested: true,
        state: 'queued',
        headBranch: 'main',
      },
    ])
    if (run === undefined) throw new Error('There is no run')
    app.forgejo.activity.setRunStatus(shop.repository, run, 'running')
    app.forgejo.activity.setRunStatus(shop.repository, run, 'failure')
    expect(await api.workflows.findRun(shop.id, String(run.id))).toMatchObject({ state: 'failed' })
    expect(await api.workflows.findRun(shop.id, '1')).toBeUndefined()
  })

  it('have perhaps been started where the answer is lost, and are found among those of the time', async () => {
    const path = `POST /repos/acme/shop/actions/workflows/e2e.yml/dispatches`
    app.sandbox.faults.add({ provider: 'forgejo', request: path, fault: { kind: 'cut' } })
    expect(await start()).toEqual({ outcome: 'ambiguous' })
    expect(app.sent.filter((line) => line.startsWith('POST'))).toHaveLength(1)
    const of = { workflowId: 'e2e.yml', ...wide() }
    expect((await api.workflows.listRequestedRuns(shop.id, of)).runs).toMatchObject([
      { correlation: testRun },
    ])
    // A minute later nothing has been started, which a run in another state shows a time of.
    const [run] = shop.repository.runs.values()
    if (run === undefined) throw new Error('There is no run')
    app.forgejo.activity.setRunStatus(shop.repository, run, 'running')
    const later = { workflowId: 'e2e.yml', from: of.to, to: new Date(of.to.getTime() + 60_000) }
    expect(await api.workflows.listRequestedRuns(shop.id, later)).toEqual({
      runs: [],
      isComplete: true,
    })
  })

  /** Lets other people start `count` runs of the same workflow. */
  const startOthers = (count: number) => {
    const workflow = shop.repository.workflows.get('e2e.yml')
    if (workflow === undefined) throw new Error('The workflow is gone')
    const event = 'workflow_dispatch'
    for (let nth = 0; nth < count; nth += 1) {
      const of = { workflow, ref: 'main', user: shop.user, event, inputs: {} } as const
      app.forgejo.activity.startRun(shop.repository, of)
    }
  }

  it('are found behind later ones, also where the instance answers with smaller pages', async () => {
    app.forgejo.settings.pageItemsMax = 30
    await start()
    startOthers(35)
    const of = { workflowId: 'e2e.yml', ...wide() }
    const { runs, isComplete } = await api.workflows.listRequestedRuns(shop.id, of)
    expect([runs.length, isComplete]).toEqual([36, true])
    expect(runs.at(-1)).toMatchObject({ correlation: testRun })
  })

  it('are not all listed where there are more than five pages, which the answer says', async () => {
    await start()
    const of = { workflowId: 'e2e.yml', ...wide() }
    startOthers(249)
    expect(await api.workflows.listRequestedRuns(shop.id, of)).toMatchObject({ isComplete: true })
    startOthers(1)
    const { runs, isComplete } = await api.workflows.listRequestedRuns(shop.id, of)
    expect([runs.length, isComplete]).toEqual([250, false])
    expect(runs.map(({ correlation }) => correlation)).not.toContain(testRun)
  })

  it('are not all listed when one cannot be read, which the answer says', async () => {
    const body = JSON.stringify({ workflow_runs: [{ id: null }], total_count: 1 })
    const request = `GET /repos/${shop.repository.fullName}/actions/runs`
    const fault = { kind: 'answer', status: 200, body } as const
    app.sandbox.faults.add({ provider: 'forgejo', request, fault })
    const of = { workflowId: 'e2e.yml', ...wide() }
    expect(await api.workflows.listRequestedRuns(shop.id, of)).toEqual({
      runs: [],
      isComplete: false,
    })
  })

  it('have perhaps been started where the version does not say as which run', async () => {
    app.forgejo.settings.namesRuns = false
    expect(await start()).toEqual({ outcome: 'ambiguous' })
    const { runs: found } = await api.workflows.listRequestedRuns(shop.id, {
      workflowId: 'e2e.yml',
      ...wide(),
    })
    expect(found).toMatchObject([{ correlation: testRun }])
  })

  it.each([
    ['no_dispatch_trigger', { workflowId: 'ci.yml' }],
    ['not_found', { workflowId: 'no.yml' }],
    ['ref_not_found', { ref: 'gone' }],
  ])('are refused: %s, before the instance is asked', async (code, more) => {
    expect(await start(more)).toMatchObject({ outcome: 'refused', error: { code } })
    expect(app.sent.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  it('are refused without a value that they need', async () => {
    app.forgejo.activity.setWorkflow(shop.repository, {
      file: 'e2e.yml',
      name: 'E2E',
      inputs: [{ name: 'browser', isRequired: true }],
    })
    expect(await start()).toMatchObject({ outcome: 'refused', error: { code: 'input_required' } })
  })

  it('are not started by an access that only reads', async () => {
    const reading = app.apiWith(['read:repository', 'read:user'])
    const of = { workflowId: 'e2e.yml' }
    expect(await reading.workflows.readInterface(shop.id, of)).toMatchObject({ isStartable: false })
    expect(await reading.workflows.list(shop.id)).toMatchObject([{ state: 'read_only' }, {}])
    expect(reading.hooks).toBeUndefined()
  })

  it('are started under the name that the repository has by then', async () => {
    await api.workflows.list(shop.id)
    app.forgejo.activity.rename(shop.repository, 'acme/store')
    expect(await start()).toMatchObject({ outcome: 'started' })
  })
})

describe('a run of an instance', () => {
  it('keeps our id where no title shows it', async () => {
    app.forgejo.activity.setWorkflow(shop.repository, {
      file: 'e2e.yml',
      name: 'E2E',
      inputs: [{ name: 'test_run_id' }],
    })
    const request = { workflowId: 'e2e.yml', ref: 'main', inputs: { test_run_id: testRun } }
    await api.workflows.start(shop.id, request)
    const of = { workflowId: 'e2e.yml', from: new Date(0), to: new Date(8e15) }
    expect((await api.workflows.listRequestedRuns(shop.id, of)).runs).toMatchObject([
      { correlation: testRun },
    ])
  })

  it('that older versions cannot show is unknown, and no trouble', async () => {
    app.forgejo.settings.hasRuns = false
    expect(await api.workflows.findRun(shop.id, '1')).toBeUndefined()
  })
})
