import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import { createGitlabApi, type GitlabApi } from './api.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'

let opened: OpenGitlab
let api: GitlabApi
let shop: ReturnType<OpenGitlab['addShop']>

beforeAll(async () => {
  opened = await openGitlab()
})
beforeEach(() => {
  opened.sandbox.reset()
  shop = opened.addShop()
  api = opened.apiWith(['api'])
})
afterAll(() => opened.close())

const push = (message: string, branch = 'main') =>
  opened.gitlab.activity.push(shop.project, {
    branch,
    user: shop.user,
    commits: [{ message }],
  }).sha

describe('projects', () => {
  it('carry their instance in the id, and those of another one are not asked for', async () => {
    const { items, nextPage } = await api.listRepositories()
    expect(items).toEqual([
      {
        externalId: shop.id,
        fullName: 'acme/shop',
        defaultBranch: 'main',
        url: `${opened.webUrl}/acme/shop`,
      },
    ])
    expect(nextPage).toBeUndefined()
    const foreign = `gitlab.example/${shop.project.id}`
    await expect(api.deployments.list(foreign)).rejects.toMatchObject({ code: 'other_instance' })
  })

  it('are not asked for in a private network that the operator has not allowed', async () => {
    const egress = createEgress({ allow: [] })
    const { log, clock } = opened.sandbox
    const outside = createGitlabApi({
      call: { provider: 'gitlab', egress, now: () => clock.now() },
      webUrl: opened.webUrl,
      withAccessToken: (send) => send('a token'),
      scopes: ['api'],
    })
    const before = log.list().length
    await expect(outside.listRepositories()).rejects.toThrow('gitlab: ')
    expect(log.list()).toHaveLength(before)
    // Control: the same address, allowed.
    await api.listRepositories()
    expect(log.list().length).toBeGreaterThan(before)
    await egress.close()
  })

  it('are listed page by page, and without those of others', async () => {
    for (let at = 0; at < 101; at += 1)
      opened.gitlab.activity.addProject({ fullPath: `acme/more-${at}` })
    opened.gitlab.activity.addProject({ fullPath: 'other/secret', members: { grace: 'owner' } })
    const first = await api.listRepositories()
    const second = await api.listRepositories(first.nextPage)
    expect([first.items.length, second.items.length]).toEqual([100, 2])
  })

  it('show no environments that were stopped', async () => {
    const { activity } = opened.gitlab
    activity.addEnvironment(shop.project, { name: 'production' })
    activity.stopEnvironment(activity.addEnvironment(shop.project, { name: 'review/1' }))
    const { items } = await api.deployments.listEnvironments(shop.id)
    expect(items.map(({ name }) => name)).toEqual(['production'])
  })
})

describe('deployments', () => {
  const deploy = (
    status: 'created' | 'blocked' | 'success' = 'created',
    environment = 'production',
  ) =>
    opened.gitlab.activity.deploy(shop.project, {
      ref: 'main',
      environment,
      user: shop.user,
      status,
      pipeline: opened.gitlab.activity.startPipeline(shop.project, {
        ref: 'main',
        user: shop.user,
      }),
    })

  it('have the whole commit and its message, and come and go where they are of a branch', async () => {
    const sha = push('ABC-1 Fix')
    deploy()
    deploy('created', 'review/fix')
    const { items } = await api.deployments.list(shop.id)
    const run = { id: expect.stringMatching(/^\d+$/), job: expect.any(String) }
    const of = { sha, headCommitMessage: 'ABC-1 Fix', run }
    expect(items).toMatchObject([
      { ...of, environment: 'review/fix', isTransient: true },
      { ...of, environment: 'production', isTransient: false },
    ])
    expect(await api.deployments.count(shop.id)).toBe(2)
  })

  it('are ordered by how far they are, then by their time', async () => {
    push('one')
    const deployment = deploy()
    const numbers: bigint[] = []
    const states: string[] = []
    let second = 30
    const { activity } = opened.gitlab
    for (const status of ['created', 'blocked', 'running', 'success'] as const) {
      if (status !== 'created') activity.setDeploymentStatus(shop.project, deployment, status)
      // A replica that lags, or another reason to change, has moved the time of each stage.
      Object.assign(deployment, { updatedAt: new Date(Date.UTC(2026, 10, 26, 12, 0, second)) })
      second -= 1
      const found = await api.deployments.read(shop.id, String(deployment.id))
      const [first] = found?.statuses ?? []
      numbers.push(BigInt(first?.externalId ?? 0))
      states.push(first?.state ?? '')
    }
    expect(states).toEqual(['queued', 'waiting', 'in_progress', 'success'])
    expect(numbers).toEqual(numbers.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(numbers).size).toBe(4)
  })

  it('are listed newest first', async () => {
    push('one')
    const ids = [deploy().id, deploy().id].map(String)
    const { items } = await api.deployments.list(shop.id)
    expect(items.map(({ externalId }) => externalId)).toEqual(ids.toReversed())
  })

  it('that have ended keep their order when something else of them changes', async () => {
    push('one')
    const deployment = deploy('success')
    const read = async () => {
      const [status] = (await api.deployments.read(shop.id, String(deployment.id)))?.statuses ?? []
      return BigInt(status?.externalId ?? 0)
    }
    const ended = await read()
    Object.assign(deployment, { updatedAt: new Date(deployment.updatedAt.getTime() + 60_000) })
    expect(await read()).toBe(ended)
  })

  it('made through the API are ordered by their time where they end twice', async () => {
    push('one')
    const { activity } = opened.gitlab
    const made = { ref: 'main', environment: 'production', user: shop.user }
    const deployment = activity.deploy(shop.project, { ...made, status: 'success' })
    const read = () => api.deployments.listStatuses(shop.id, String(deployment.id))
    const [first] = await read()
    opened.sandbox.clock.advance(1_000)
    activity.setDeploymentStatus(shop.project, deployment, 'failed')
    const [second] = await read()
    expect(second?.state).toBe('failure')
    expect(BigInt(second?.externalId ?? 0)).toBeGreaterThan(BigInt(first?.externalId ?? 0))
  })

  it('that have changed are found by asking, also those that wait for an approval', async () => {
    push('one')
    const before = deploy('success')
    opened.sandbox.clock.advance(60_000)
    const since = opened.sandbox.clock.now()
    opened.sandbox.clock.advance(1_000)
    const blocked = deploy('blocked')
    expect(before.id).not.toBe(blocked.id)
    const { items } = await api.deployments.list(shop.id, undefined, since)
    expect(items.map(({ externalId }) => externalId)).toEqual([String(blocked.id)])
    const asked = opened.sent.length
    const [status] = await api.deployments.listStatuses(shop.id, String(blocked.id))
    expect(status).toMatchObject({ state: 'waiting' })
    // The list has answered it.
    expect(opened.sent).toHaveLength(asked)
  })

  it('that are gone are none', async () => {
    expect(await api.deployments.read(shop.id, '999')).toBeUndefined()
  })
})

describe('commits between two', () => {
  it('are listed oldest first, without a diff, with the direction', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((message) => push(message))
    const ahead = await api.commits.compare(shop.id, a ?? '', c ?? '')
    expect(ahead).toMatchObject({ status: 'ahead', total: 2, isTruncated: false })
    expect(ahead.commits.map(({ message }) => message)).toEqual(['b', 'c'])
    const behind = await api.commits.compare(shop.id, c ?? '', b ?? '')
    expect(behind).toMatchObject({ status: 'behind', commits: [{ message: 'c' }] })
    expect(await api.commits.compare(shop.id, a ?? '', a ?? '')).toMatchObject({
      status: 'identical',
    })
    expect(opened.sent.filter((line) => line.includes('/compare'))).toEqual([])
    // Control: with the diffs of a larger change, its answer would be more than is read of any.
    const compare = `/projects/${shop.project.id}/repository/compare`
    const body = JSON.stringify({ commits: [], diffs: [{ diff: '+'.repeat(6 * 1024 ** 2) }] })
    const fault = { kind: 'answer', status: 200, body } as const
    opened.sandbox.faults.add({ provider: 'gitlab', request: `GET ${compare}`, fault })
    const answer = opened.egress.request(`${opened.webUrl}/api/v4${compare}`)
    await expect(answer).rejects.toMatchObject({ code: 'too_large' })
  })

  it('are a thousand at most, and say so', async () => {
    const base = push('base')
    const { sha: head } = opened.gitlab.activity.push(shop.project, {
      branch: 'main',
      user: shop.user,
      commits: Array.from({ length: 1_001 }, (_, at) => ({ message: String(at) })),
    })
    const { total, isTruncated } = await api.commits.compare(shop.id, base, head)
    expect({ total, isTruncated }).toEqual({ total: 1_000, isTruncated: true })
  })

  it('are none where one of the two is gone', async () => {
    const gone = api.commits.compare(shop.id, 'f'.repeat(40), push('a'))
    await expect(gone).rejects.toMatchObject({ failure: 'notFound' })
  })

  it('say when the two are on other branches', async () => {
    const a = push('a')
    const side = push('side', 'feature')
    const main = push('main')
    expect(await api.commits.compare(shop.id, main, side)).toMatchObject({ status: 'diverged' })
    expect(await api.commits.compare(shop.id, a, side)).toMatchObject({ status: 'ahead' })
  })
})
