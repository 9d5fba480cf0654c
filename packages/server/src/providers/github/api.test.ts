import { describe, expect, it } from 'vitest'
import { openGithub } from './testing/open-github.ts'

const unavailable = (code: string) => ({ name: 'ProviderError', failure: 'unavailable', code })

describe('createGithubApi', () => {
  it('reads repositories, environments, workflows, deployments and their statuses in our words', async () => {
    const { api, github, repository, repositoryId, ada, push } = await openGithub()
    const [sha = ''] = push('ABC-1 fix')
    const { activity } = github
    activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml', state: 'disabled_manually' })
    const deployment = activity.deploy(repository, { ref: 'main', creator: ada, payload: { a: 1 } })
    activity.setDeploymentStatus(repository, deployment, { state: 'in_progress', creator: ada })
    const environmentUrl = 'https://shop.example'
    activity.setDeploymentStatus(repository, deployment, {
      state: 'success',
      creator: ada,
      environmentUrl,
    })
    expect(await api.listRepositories()).toMatchObject({
      items: [{ externalId: repositoryId, fullName: 'acme/shop', defaultBranch: 'main' }],
      nextPage: undefined,
      total: 1,
    })
    expect((await api.deployments.listEnvironments(repositoryId)).items).toEqual([
      { name: 'production' },
    ])
    expect(await api.workflows.list(repositoryId)).toMatchObject([
      { name: 'E2E', path: '.github/workflows/e2e.yml', state: 'disabled_manually' },
    ])
    const externalId = String(deployment.id)
    expect((await api.deployments.list(repositoryId)).items).toMatchObject([
      { externalId, sha, ref: 'main', environment: 'production', payloadText: '{"a":1}' },
    ])
    expect(await api.deployments.listStatuses(repositoryId, externalId)).toMatchObject([
      { state: 'success', environmentUrl },
      { state: 'in_progress', environmentUrl: null },
    ])
    expect(await api.commits.get(repositoryId, sha)).toMatchObject({ sha, message: 'ABC-1 fix' })
  })

  it('goes on from page to page at the address that it knows, wherever the link leads', async () => {
    const { api, github, repository, repositoryId, ada, sandbox, asked } = await openGithub()
    for (let count = 0; count < 101; count += 1) {
      github.activity.deploy(repository, { ref: 'main', creator: ada })
    }
    const path = `GET /repositories/${repositoryId}/deployments`
    const link = '<http://192.0.2.1/steal?page=2>; rel="next"'
    sandbox.faults.add({
      provider: 'github',
      request: path,
      fault: { kind: 'answer', status: 200, headers: { link }, body: '[]' },
    })
    expect(await api.deployments.list(repositoryId)).toMatchObject({ items: [], nextPage: '2' })
    expect(await api.deployments.count(repositoryId)).toBe(101)
    const second = await api.deployments.list(repositoryId, '2')
    expect([second.items.length, second.nextPage]).toEqual([1, undefined])
    const pages = ['per_page=100&page=1', 'per_page=1', 'per_page=100&page=2']
    expect(asked()).toEqual(pages.map((page) => `${path}?${page}`))
    await expect(api.deployments.list(repositoryId, '2&x=1')).rejects.toThrow(RangeError)
  })

  it('finds a repository that was renamed', async () => {
    const { api, github, repository, repositoryId, ada } = await openGithub()
    github.activity.renameRepository(repository, 'store', ada)
    expect((await api.deployments.listEnvironments(repositoryId)).items).toEqual([])
    expect((await api.listRepositories()).items).toMatchObject([
      { externalId: repositoryId, fullName: 'acme/store' },
    ])
  })

  it('says which version of the API it speaks', async () => {
    const { api, sandbox } = await openGithub()
    await api.listRepositories()
    expect(sandbox.log.list().at(-1)?.headers).toMatchObject({
      'x-github-api-version': '2022-11-28',
      'user-agent': 'signalbox',
    })
  })

  it('pays nothing for what has not changed, and knows what is left', async () => {
    const { api, github, repository, repositoryId } = await openGithub()
    github.rateLimits.perHour = 100
    expect(api.budget()).toBeUndefined()
    const first = await api.deployments.listEnvironments(repositoryId)
    const budget = api.budget()
    expect(budget).toMatchObject({ limit: 100, resetsAt: expect.any(Date) })
    expect(await api.deployments.listEnvironments(repositoryId)).toEqual(first)
    expect(api.budget()?.remaining).toBe(budget?.remaining)
    github.activity.addEnvironment(repository, 'staging')
    expect((await api.deployments.listEnvironments(repositoryId)).items).toEqual([
      { name: 'staging' },
    ])
    expect(api.budget()?.remaining).toBe((budget?.remaining ?? 0) - 1)
  })

  it('reads what is left from a refusal as well, and until when', async () => {
    const { api, github, repositoryId } = await openGithub()
    github.rateLimits.perHour = 1
    await api.deployments.listEnvironments(repositoryId)
    await expect(api.workflows.list(repositoryId)).rejects.toMatchObject({
      failure: 'rateLimited',
      retryAt: expect.any(Date),
    })
    expect(api.budget()).toMatchObject({ limit: 1, remaining: 0 })
  })

  it('asks once more with another token when one is refused', async () => {
    const { api, github, repositoryId, asked } = await openGithub()
    await api.deployments.listEnvironments(repositoryId)
    github.tokens.reset()
    expect(await api.workflows.list(repositoryId)).toEqual([])
    expect(asked().filter((request) => request.includes('/workflows'))).toHaveLength(2)
  })

  it('has one token made for all calls whose token is refused together', async () => {
    const { api, github, repositoryId, minted } = await openGithub()
    await api.deployments.listEnvironments(repositoryId)
    github.tokens.reset()
    await Promise.all(Array.from({ length: 10 }, () => api.workflows.list(repositoryId)))
    expect(minted()).toBe(2)
  })

  it('uses a token whose stated end is near until it is refused', async () => {
    const { api, repositoryId, minted } = await openGithub({ tokenMs: 60_000 })
    for (let turn = 0; turn < 10; turn += 1) await api.workflows.list(repositoryId)
    expect(minted()).toBe(1)
  })

  it.each([
    ['a page in the place of JSON', '<html>down for maintenance</html>', 'not_json'],
    ['JSON of another form', '{"message":"hello"}', 'unexpected_answer'],
  ])('takes %s for trouble of the provider', async (_what, body, code) => {
    const { api, sandbox, repositoryId } = await openGithub()
    const fault = { kind: 'answer', status: 200, body } as const
    sandbox.faults.add({ provider: 'github', request: 'GET /repositories', fault })
    await expect(api.deployments.listEnvironments(repositoryId)).rejects.toMatchObject(
      unavailable(code),
    )
  })

  it('keeps the digits of long ids, takes unknown words, and passes over what it cannot read', async () => {
    const { api, sandbox, repositoryId } = await openGithub()
    const at = '"created_at":"2026-01-01T00:00:00Z"'
    const body = `[{"id":90071992547409931,"state":"half_baked",${at}},{"id":null},{"id":7,"state":"success",${at}}]`
    const fault = { kind: 'answer', status: 200, body } as const
    sandbox.faults.add({ provider: 'github', request: 'GET /repositories', fault })
    expect(await api.deployments.listStatuses(repositoryId, '1')).toMatchObject([
      { externalId: '90071992547409931', state: 'unknown' },
      { externalId: '7', state: 'success' },
    ])
  })

  it('says that runs are missing when it cannot read one', async () => {
    const { api, sandbox, repositoryId } = await openGithub()
    const body = '{"total_count":1,"workflow_runs":[{"id":null}]}'
    const fault = { kind: 'answer', status: 200, body } as const
    sandbox.faults.add({ provider: 'github', request: 'GET /repositories', fault })
    const [from, to] = [new Date(0), new Date()]
    expect(
      await api.workflows.listRequestedRuns(repositoryId, { workflowId: 'e2e.yml', from, to }),
    ).toEqual({
      runs: [],
      isComplete: false,
    })
  })

  it('tells what is not there from what cannot be asked', async () => {
    const { api, repositoryId } = await openGithub()
    expect(await api.workflows.findRun(repositoryId, '1')).toBeUndefined()
    await expect(api.commits.get(repositoryId, 'f'.repeat(40))).rejects.toMatchObject({
      failure: 'notFound',
    })
    await expect(api.workflows.list('1')).rejects.toMatchObject({ failure: 'notFound' })
  })
})
