import { forgejoApi } from 'forgejo-js'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import type { ForgejoRepository } from './state.ts'
import { authorize, connect, refresh } from './testing/connect.ts'

const sandbox = await openSandbox()
let shop: ForgejoRepository

beforeEach(() => {
  shop = sandbox.forgejo.activity.addRepository({ fullName: 'acme/shop' })
})

// Sends a POST once, whatever is answered (`providers/testing/repeating-clients.test.ts`).
const client = (token: string) => forgejoApi(sandbox.addresses.forgejo, { token })
const asAda = async (scope?: string) => client((await connect(sandbox, scope)).access_token)
const ada = () => {
  const user = sandbox.forgejo.state.users.get('ada')
  if (user === undefined) throw new Error('There is no ada.')
  return user
}
const push = (message: string, branch = 'main') =>
  sandbox.forgejo.activity.push(shop, { branch, user: ada(), commits: [{ message }] })
const statusOf = async (answer: Promise<unknown>) => {
  try {
    await answer
    return 200
  } catch (error) {
    return (error as { readonly status: number }).status
  }
}

describe('forgejo-js', () => {
  it('reads who it is, the version, and pages through the repositories', async () => {
    sandbox.forgejo.activity.addRepository({ fullName: 'acme/web' })
    sandbox.forgejo.activity.addRepository({
      fullName: 'mallory/own',
      members: { mallory: 'admin' },
    })
    const api = await asAda('read:repository read:user')
    expect((await api.user.userGetCurrent()).data).toMatchObject({ login: 'ada', id: 61 })
    expect((await api.version.getVersion()).data.version).toContain('gitea')
    const names: (string | undefined)[] = []
    for (const page of [1, 2]) {
      const { data, headers } = await api.user.userCurrentListRepos({ page, limit: 1 })
      names.push(...data.map(({ full_name: name }) => name))
      expect(headers.get('x-total-count')).toBe('2')
      expect(headers.get('link')?.includes('rel="next"')).toBe(page === 1)
    }
    expect(names).toEqual(['acme/shop', 'acme/web'])
    expect((await api.repositories.repoGetById(shop.id)).data.full_name).toBe('acme/shop')
  })

  it('lists the commits that one has and another has not, and reads one', async () => {
    const [first = ''] = shop.commits.keys()
    push('ABC-1 One\n\nWith a body.')
    const { sha } = push('ABC-2 Two')
    const api = await asAda('read:repository read:user')
    const list = await api.repos.repoGetAllCommits('acme', 'shop', { sha, not: first, limit: 1 })
    expect(list.data.map(({ commit }) => commit?.message)).toEqual(['ABC-2 Two\n'])
    expect(list.headers.get('x-total-count')).toBe('2')
    const { data } = await api.repos.repoGetSingleCommit('acme', 'shop', 'main')
    expect(data).toMatchObject({ sha, author: { login: 'ada' } })
    expect(await statusOf(api.repos.repoGetSingleCommit('acme', 'shop', '0'.repeat(40)))).toBe(404)
  })

  it('reads a workflow, and starts it with the number of its run', async () => {
    sandbox.forgejo.activity.setWorkflow(shop, {
      file: 'e2e.yml',
      name: 'E2E',
      inputs: [{ name: 'test_run_id', isRequired: true }],
    })
    const api = await asAda()
    const at = '.forgejo/workflows/e2e.yml'
    const file = (await api.repos.repoGetContents('acme', 'shop', at)).data
    expect(Buffer.from(file.content ?? '', 'base64').toString()).toContain('workflow_dispatch')
    const start = (inputs: Record<string, string>, ref = 'main') =>
      api.repos.dispatchWorkflow('acme', 'shop', 'e2e.yml', { ref, inputs, return_run_info: true })
    expect((await start({ test_run_id: 'run_1', unknown: 'x' })).data).toMatchObject({
      id: expect.any(Number),
      run_number: 1,
    })
    expect(await statusOf(start({}))).toBe(400)
    expect(await statusOf(start({ test_run_id: 'run_1' }, 'gone'))).toBe(404)
  })

  it('makes, changes and deletes a webhook, and never reads its secret', async () => {
    const api = await asAda()
    const config = { url: 'https://app.invalid/hooks', content_type: 'json', secret: 'hidden' }
    const events = ['action_run_success', 'workflow_run']
    const body = { type: 'gitea' as const, active: true, events, config }
    const made = (await api.repos.repoCreateHook('acme', 'shop', body)).data
    expect(made).toMatchObject({ events: ['action_run_success'], active: true })
    expect(JSON.stringify(made)).not.toContain('hidden')
    const other = { config: { secret: 'other' }, active: false, events }
    await api.repos.repoEditHook('acme', 'shop', made.id ?? 0, other)
    expect([...shop.hooks.values()]).toMatchObject([{ secret: 'hidden', active: false }])
    await api.repos.repoDeleteHook('acme', 'shop', made.id ?? 0)
    expect((await api.repos.repoListHooks('acme', 'shop')).data).toEqual([])
  })

  it('reads an issue, also under the former name of its repository, and a pull request as one', async () => {
    const { activity } = sandbox.forgejo
    activity.openIssue(shop, { title: 'Closed', author: ada(), assignee: ada() })
    activity.openIssue(shop, { title: 'A pull', author: ada(), isPull: true })
    const api = await asAda('read:repository read:issue read:user')
    const issue = (await api.repos.issueGetIssue('acme', 'shop', 1)).data
    expect(issue).toMatchObject({ title: 'Closed', state: 'open', pull_request: null })
    expect(issue.repository?.full_name).toBe('acme/shop')
    expect((await api.repos.issueGetIssue('acme', 'shop', 2)).data.pull_request).not.toBeNull()
    expect(await statusOf(api.repos.issueGetIssue('acme', 'shop', 3))).toBe(404)
    activity.rename(shop, 'acme/store')
    expect((await api.repos.issueGetIssue('acme', 'shop', 1)).data.title).toBe('Closed')
    const without = client(sandbox.forgejo.createAccessToken('ada', ['write:repository']))
    expect(await statusOf(without.repos.issueGetIssue('acme', 'store', 1))).toBe(403)
  })

  it('reads a pull request, and writes a status beside its head', async () => {
    const pull = sandbox.forgejo.activity.openPull(shop, { author: ada() })
    const api = await asAda()
    const { number } = pull.issue
    expect((await api.repos.repoGetPullRequest('acme', 'shop', number)).data).toMatchObject({
      state: 'open',
      merged: false,
      head: { sha: pull.headSha, repo_id: shop.id },
      base: { ref: 'main', repo_id: shop.id },
    })
    expect(await statusOf(api.repos.repoGetPullRequest('acme', 'shop', 99))).toBe(404)
    const set = (state: string, sha = pull.headSha) =>
      api.repos.repoCreateStatus('acme', 'shop', sha, { state, context: 'configuration' })
    expect((await set('pending')).data).toMatchObject({ status: 'pending' })
    await set('success')
    const listed = await api.repos.repoListStatuses('acme', 'shop', pull.headSha)
    expect(listed.data.map(({ status }) => status)).toEqual(['success', 'pending'])
    expect(await statusOf(set('success', 'f'.repeat(40)))).toBe(404)
    const reader = client(sandbox.forgejo.createAccessToken('ada', ['read:repository']))
    const status = { state: 'success', context: 'configuration' }
    const written = reader.repos.repoCreateStatus('acme', 'shop', pull.headSha, status)
    expect(await statusOf(written)).toBe(403)
  })

  it('subscribes to all events of issues by one name, and to single ones by theirs', async () => {
    const api = await asAda()
    const config = { url: 'https://app.invalid/hooks', content_type: 'json', secret: 'hidden' }
    const make = async (events: string[]) => {
      const body = { type: 'gitea' as const, active: true, events, config }
      return (await api.repos.repoCreateHook('acme', 'shop', body)).data.events
    }
    expect(await make(['issues'])).toHaveLength(5)
    expect(await make(['issues_only', 'issue_assign'])).toEqual(['issues', 'issue_assign'])
  })

  it('is refused what its scopes, and what the person’s rights, do not allow', async () => {
    const body = { ref: 'main', inputs: {} }
    const reading = await asAda('read:repository read:user')
    const dispatch = (api: typeof reading) =>
      statusOf(api.repos.dispatchWorkflow('acme', 'shop', 'e2e.yml', body))
    expect(await dispatch(reading)).toBe(403)
    const as = (login: string) =>
      client(sandbox.forgejo.createAccessToken(login, ['write:repository', 'read:user']))
    expect(await statusOf(as('grace').repos.repoListHooks('acme', 'shop'))).toBe(403)
    expect(await statusOf(as('mallory').repos.repoGet('acme', 'shop'))).toBe(404)
    expect(await statusOf(client('unknown').user.userGetCurrent())).toBe(401)
  })
})

describe('a consent', () => {
  it('keeps its scopes, and another one is refused until the person removes it', async () => {
    await connect(sandbox, 'read:repository read:user')
    const refused = await authorize(sandbox, 'read:user read:repository')
    expect(Object.fromEntries(refused)).toMatchObject({
      error: 'server_error',
      error_description: 'a grant exists with different scope',
    })
    sandbox.forgejo.revokeGrants()
    expect((await authorize(sandbox)).get('code')).not.toBeNull()
  })

  it('without a scope of the API allows everything', async () => {
    const api = await asAda('openid email')
    expect((await api.repos.repoListHooks('acme', 'shop')).data).toEqual([])
  })
})

describe('renewing', () => {
  it('ends the refresh token at Forgejo, and not at Gitea', async () => {
    const first = await connect(sandbox)
    const second = await refresh(sandbox, first.refresh_token)
    expect(second.access_token).toEqual(expect.any(String))
    expect(await refresh(sandbox, first.refresh_token)).toMatchObject({
      error: 'unauthorized_client',
    })
    sandbox.forgejo.settings.invalidatesRefreshTokens = false
    const third = await refresh(sandbox, second.refresh_token)
    const again = await refresh(sandbox, second.refresh_token)
    expect([third.error, again.error]).toEqual([undefined, undefined])
  })
})
