import { Gitlab } from '@gitbeaker/rest'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect } from './testing/connect.ts'
import { openShop, type TestShop } from './testing/open-shop.ts'

const sandbox = await openSandbox()
let shop: TestShop

beforeEach(() => {
  shop = openShop(sandbox)
})

// Repeats a call that is answered 429 or 502 (`providers/testing/repeating-clients.test.ts`): such answers are tested without it.
const client = (oauthToken: string) => new Gitlab({ host: sandbox.addresses.gitlab, oauthToken })
const asAda = async (scope?: string) => client((await connect(sandbox, scope)).access_token)

describe('@gitbeaker/rest', () => {
  it('reads who it is, and pages through the projects', async () => {
    openShop(sandbox, 'acme/tools/printer')
    openShop(sandbox, 'acme/web')
    const gitlab = await asAda('read_api')
    expect(await gitlab.Users.showCurrentUser()).toMatchObject({ username: 'ada' })
    const expected = ['acme/web', 'acme/tools/printer', 'acme/shop']
    const byOffset = await gitlab.Projects.all<false, 'offset'>({
      membership: true,
      perPage: 1,
      pagination: 'offset',
    })
    const byKeyset = await gitlab.Projects.all({
      membership: true,
      perPage: 1,
      pagination: 'keyset',
      orderBy: 'id',
      sort: 'desc',
    })
    for (const all of [byOffset, byKeyset]) {
      expect(all.map(({ path_with_namespace: path }) => path)).toEqual(expected)
    }
    expect(await gitlab.Projects.show('acme/tools/printer')).toMatchObject({ name: 'printer' })
  })

  it('gets twenty of a list, or a hundred at most', async () => {
    for (let nth = 0; nth < 101; nth += 1) openShop(sandbox, `acme/more-${nth}`)
    const token = sandbox.gitlab.createAccessToken('ada', ['read_api'])
    const count = async (query: string) => {
      const url = `${sandbox.addresses.gitlab}/api/v4/projects?membership=true${query}`
      const answer = await fetch(url, { headers: { 'private-token': token } })
      return Object.keys(Object(await answer.json())).length
    }
    const counts = [await count(''), await count('&per_page=30'), await count('&per_page=101')]
    expect(counts).toEqual([20, 30, 100])
  })

  it('reads deployments, newest change first, with their environments', async () => {
    const gitlab = await asAda('read_api')
    const first = shop.deploy('staging')
    sandbox.clock.advance(60_000)
    shop.deploy('production')
    sandbox.clock.advance(60_000)
    sandbox.gitlab.activity.setDeploymentStatus(shop.project, first, 'success')
    const changed = await gitlab.Deployments.all(shop.project.id, {
      orderBy: 'updated_at',
      sort: 'desc',
      perPage: 1,
      updatedAfter: new Date(0).toISOString(),
    })
    expect(changed.map(({ status, environment }) => [status, environment.name])).toEqual([
      ['success', 'staging'],
      ['created', 'production'],
    ])
    const one = await gitlab.Deployments.show(shop.project.id, first.id)
    expect(one).toMatchObject({
      sha: first.sha,
      deployable: { commit: { message: 'Initial commit' }, pipeline: { ref: 'main' } },
    })
    // GitLab's document and source name no more than this of an environment here.
    expect(Object.keys(one.environment).toSorted()).toEqual([
      'created_at',
      'external_url',
      'id',
      'name',
      'slug',
      'updated_at',
    ])
    expect(await gitlab.Environments.all(shop.project.id)).toMatchObject([
      { name: 'staging', tier: 'staging', state: 'available' },
      { name: 'production', tier: 'production' },
    ])
  })

  it('reads a refusal as what it is', async () => {
    const refused = client('unknown').Users.showCurrentUser()
    await expect(refused).rejects.toMatchObject({ cause: { response: { status: 401 } } })
    const hook = (await asAda('read_api')).ProjectHooks.add(
      shop.project.id,
      'https://app.invalid/hooks',
    )
    await expect(hook).rejects.toMatchObject({ cause: { response: { status: 403 } } })
  })

  it('makes, changes and deletes a hook', async () => {
    const { ProjectHooks } = await asAda()
    const made = await ProjectHooks.add(shop.project.id, 'https://app.invalid/hooks', {
      deploymentEvents: true,
      pushEvents: false,
      token: 'secret',
    })
    expect(made).toMatchObject({ deployment_events: true, push_events: false })
    await ProjectHooks.edit(shop.project.id, made.id, 'https://app.invalid/other', {
      pipelineEvents: true,
    })
    expect(await ProjectHooks.all(shop.project.id)).toMatchObject([
      { url: 'https://app.invalid/other', pipeline_events: true, deployment_events: true },
    ])
    await ProjectHooks.remove(shop.project.id, made.id)
    expect(await ProjectHooks.all(shop.project.id)).toEqual([])
  })

  it('lists the commits of a range, and finds where two commits part', async () => {
    const { Commits, Repositories } = await asAda('read_api')
    const { activity } = sandbox.gitlab
    const { project, ada } = shop
    const [first] = project.commits.keys()
    const push = (branch: string, message: string) =>
      activity.push(project, { branch, user: ada, commits: [{ message }] })
    const one = push('main', 'ABC-1 One\n\nWith a body.')
    const two = push('main', 'ABC-2 Two')
    const aside = activity.push(project, {
      branch: 'hotfix',
      user: ada,
      to: one.sha,
      commits: [{ message: 'ABC-3 Aside' }],
    })
    const between = await Commits.all(project.id, { refName: `${first}..${two.sha}`, perPage: 1 })
    expect(between.map(({ message }) => message)).toEqual(['ABC-2 Two', one.message])
    expect(await Repositories.mergeBase(project.id, [two.sha, aside.sha])).toMatchObject({
      id: one.sha,
    })
    const unknown = Commits.all(project.id, { refName: `${first}..${'0'.repeat(40)}` })
    await expect(unknown).rejects.toMatchObject({ cause: { response: { status: 404 } } })
  })
})

describe('merge requests', () => {
  it('are read by their numbers, and statuses are set beside their newest commits', async () => {
    const { activity } = sandbox.gitlab
    const { project, ada } = shop
    const { iid, headSha } = activity.openMergeRequest(project, { author: ada })
    const { MergeRequests, Commits } = await asAda()
    expect(await MergeRequests.show(project.id, iid)).toMatchObject({
      state: 'opened',
      sha: headSha,
      source_project_id: project.id,
      target_project_id: project.id,
    })
    const set = (state: 'pending' | 'success' | 'failed') =>
      Commits.editStatus(project.id, headSha, state, { name: 'configuration' })
    expect(await set('pending')).toMatchObject({ status: 'pending', ref: 'topic-1' })
    await expect(set('pending')).rejects.toMatchObject({ cause: { response: { status: 400 } } })
    for (const state of ['failed', 'failed', 'success'] as const) await set(state)
    expect(await Commits.allStatuses(project.id, headSha)).toMatchObject([
      { name: 'configuration', status: 'success' },
    ])
  })

  it('of a fork have no branch here that a status could be set on', async () => {
    const { activity } = sandbox.gitlab
    const { project, ada } = shop
    const from = activity.forkProject(project, { fullPath: 'ada/shop' })
    const { headSha } = activity.openMergeRequest(project, { author: ada, from })
    const { Commits } = await asAda()
    const set = Commits.editStatus(project.id, headSha, 'success')
    await expect(set).rejects.toMatchObject({ cause: { response: { status: 404 } } })
  })
})

describe('issues', () => {
  it('are listed by their numbers, with what became of them', async () => {
    const { Issues } = await asAda('read_api')
    const { activity } = sandbox.gitlab
    const { project, ada } = shop
    const open = (title: string) => activity.openIssue(project, { title, author: ada })
    activity.closeIssue(project, open('Closed'))
    const other = openShop(sandbox, 'acme/api').project
    const moved = activity.moveIssue(project, open('Moves'), other)
    open('Open')
    const listed = await Issues.all({ projectId: 'acme/shop', iids: [1, 2] })
    expect(listed).toMatchObject([
      { iid: 2, state: 'closed', moved_to_id: moved.id, references: { full: 'acme/shop#2' } },
      { iid: 1, state: 'closed', moved_to_id: null, title: 'Closed', issue_type: 'issue' },
    ])
    expect(await Issues.show(3, { projectId: project.id })).toMatchObject({ title: 'Open' })
    await expect(Issues.show(9, { projectId: project.id })).rejects.toMatchObject({
      cause: { response: { status: 404 } },
    })
  })

  it('of a project that was renamed are at its number', async () => {
    const { activity } = sandbox.gitlab
    activity.openIssue(shop.project, { title: 'Stays', author: shop.ada })
    activity.moveProject(shop.project, 'acme/store')
    const { Issues } = await asAda('read_api')
    const listed = await Issues.all({ projectId: 'acme/shop' })
    expect(listed).toMatchObject([{ references: { full: 'acme/store#1' } }])
  })
})

describe('deployments', () => {
  const ask = async (query: string) => {
    const { access_token: token } = await connect(sandbox, 'read_api')
    const answer = await fetch(
      `${sandbox.addresses.gitlab}/api/v4/projects/acme%2fshop/deployments?${query}`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  it.each([
    ['a filter by change in another order', 'updated_after=2020-01-01T00:00:00Z'],
    ['the order of ends without a filter by them', 'order_by=finished_at'],
    ['an unknown status', 'status=done'],
  ])('refuse %s', async (_what, query) => {
    expect((await ask(query)).status).toBe(400)
  })

  it('come in the order of their ids by default, the oldest first, with the rest of the limit', async () => {
    const ids = ['staging', 'production'].map((name) => shop.deploy(name).id)
    const { body, headers } = await ask('')
    expect(body.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect(headers.get('ratelimit-remaining')).toBe('1999')
    expect(headers.get('x-total')).toBe('2')
    sandbox.gitlab.settings.callsPerMinute = 1
    const { access_token: token } = await connect(sandbox)
    const refused = await fetch(`${sandbox.addresses.gitlab}/api/v4/user`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
