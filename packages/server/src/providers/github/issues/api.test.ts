import { describe, expect, it } from 'vitest'
import { createGithubIssuesApi } from './api.ts'
import { openGithub } from '../testing/open-github.ts'

/** The repositories `acme/shop` and `acme/api`, and the adapter of their issues. */
async function openIssues() {
  const github = await openGithub()
  const { activity } = github.github
  const other = activity.addRepository({ owner: github.acme, name: 'api' })
  const open = (title: string, repository = github.repository) =>
    activity.openIssue(repository, { title, author: github.ada })
  const api = createGithubIssuesApi(github.requests, '7')
  return { ...github, activity, other, open, api }
}

describe('issues of GitHub', () => {
  it('are found by one query, whatever repositories they are of', async () => {
    const { activity, api, asked, repository, other, open } = await openIssues()
    activity.closeIssue(repository, open('Done'), 'completed')
    activity.closeIssue(repository, open('Dropped'), 'not_planned')
    open('Elsewhere', other)
    const found = await api.findIssues(['acme/shop#1', 'acme/shop#2', 'acme/api#1', 'acme/shop#1'])
    expect(found.map((one) => ('issue' in one ? one.issue : one))).toMatchObject([
      { key: 'acme/shop#1', title: 'Done', status: 'Closed', statusCategory: 'done', type: null },
      { key: 'acme/shop#2', status: 'Closed as not planned', priority: null },
      { key: 'acme/api#1', status: 'Open', statusCategory: 'new', assignee: null },
    ])
    expect(new Set(found.map((one) => 'issue' in one && one.issue.externalId)).size).toBe(3)
    expect(asked()).toEqual(['POST /graphql'])
  })

  it('are no pull requests, and none of what is not there', async () => {
    const { activity, api, repository } = await openIssues()
    activity.openPullRequest(repository)
    expect(await api.findIssues(['acme/shop#1', 'acme/shop#9', 'acme/gone#1'])).toMatchObject([
      { outcome: 'noIssue', reason: 'It is the number of a pull request.' },
      { outcome: 'absent' },
      { outcome: 'noProject' },
    ])
  })

  it('are followed to the repository that they were transferred to', async () => {
    const { activity, api, asked, repository, other, open } = await openIssues()
    activity.transferIssue(repository, open('Moves'), other)
    activity.deleteIssue(repository, open('Goes'))
    expect(await api.findIssues(['acme/shop#1', 'acme/shop#2'])).toMatchObject([
      { key: 'acme/shop#1', outcome: 'moved', issue: { key: 'acme/api#1', title: 'Moves' } },
      { key: 'acme/shop#2', outcome: 'absent' },
    ])
    expect(asked()).toHaveLength(4)
  })

  it('are found under the former name of a repository', async () => {
    const { activity, api, ada, repository, open } = await openIssues()
    open('Stays')
    activity.renameRepository(repository, 'store', ada)
    const [found] = await api.findIssues(['acme/shop#1'])
    expect(found).toMatchObject({ key: 'acme/shop#1', outcome: 'moved' })
  })

  it('say that the permission is missing, and not that there is no issue', async () => {
    const { api, github, open } = await openIssues()
    open('Hidden')
    for (const installation of github.state.installations.values()) {
      Object.assign(installation, { permissions: { metadata: 'read' } })
    }
    await expect(api.findIssues(['acme/shop#1'])).rejects.toMatchObject({
      failure: 'forbidden',
      code: 'graphql_forbidden',
    })
  })

  it('wait where GitHub limits queries, which it says with status 200', async () => {
    const { api, sandbox } = await openIssues()
    const body = JSON.stringify({ errors: [{ type: 'RATE_LIMITED', message: 'limit' }] })
    const headers = { 'x-ratelimit-reset': '4000000000', 'content-type': 'application/json' }
    const fault = { kind: 'answer', status: 200, body, headers } as const
    sandbox.faults.add({ provider: 'github', request: 'POST /graphql', fault })
    await expect(api.findIssues(['acme/shop#1'])).rejects.toMatchObject({ failure: 'rateLimited' })
  })

  it('are of repositories, which are listed and searched', async () => {
    const { api } = await openIssues()
    const first = await api.listProjects({ query: undefined, page: undefined, limit: 1 })
    expect(first.projects).toHaveLength(1)
    const found = await api.listProjects({ query: 'API', page: undefined, limit: 1 })
    expect(found.projects).toEqual([{ key: 'acme/api', name: 'api' }])
  })
})
