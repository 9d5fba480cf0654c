import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TrackerApi } from '../../tracker.ts'
import { openGitlab, type OpenGitlab } from '../testing/open-gitlab.ts'

let opened: OpenGitlab
let shop: ReturnType<OpenGitlab['addShop']>
let issues: TrackerApi

beforeAll(async () => {
  opened = await openGitlab()
})
beforeEach(() => {
  opened.sandbox.reset()
  opened.sent.length = 0
  shop = opened.addShop()
  issues = opened.issuesAs('ada')
})
afterAll(() => opened.close())

const open = (title: string, more: object = {}, project = shop.project) =>
  opened.gitlab.activity.openIssue(project, { title, author: shop.user, ...more })
const addProject = (fullPath: string) => opened.gitlab.activity.addProject({ fullPath })

describe('issues of GitLab', () => {
  it('are of their instance, since another one has the same numbers', () => {
    expect(issues.siteId).toBe(opened.webUrl.replace('http://', ''))
  })

  it('are found by one call for each project, in groups of groups as well', async () => {
    const { activity } = opened.gitlab
    activity.closeIssue(shop.project, open('Done', { assignee: shop.user }))
    open('Fails', { type: 'incident' }, addProject('acme/tools/cli'))
    const keys = ['acme/shop#1', 'acme/tools/cli#1', 'acme/shop#1']
    const found = await issues.findIssues(keys)
    expect(found.map((one) => ('issue' in one ? one.issue : one))).toMatchObject([
      {
        key: 'acme/shop#1',
        title: 'Done',
        status: 'Closed',
        statusCategory: 'done',
        type: null,
        assignee: 'Ada',
        url: `${opened.webUrl}/acme/shop/-/issues/1`,
      },
      { key: 'acme/tools/cli#1', status: 'Open', statusCategory: 'new', type: 'Incident' },
    ])
    expect(opened.sent).toHaveLength(2)
  })

  it('are absent where no issue has the number, and no keys where no project is shown', async () => {
    open('There')
    opened.gitlab.activity.addProject({ fullPath: 'other/secret', members: { mallory: 'owner' } })
    expect(await issues.findIssues(['acme/shop#9', 'acme/gone#1', 'other/secret#1'])).toMatchObject(
      [{ outcome: 'absent' }, { outcome: 'noProject' }, { outcome: 'noProject' }],
    )
  })

  it('are followed to the project that they were moved to, where it is shown', async () => {
    const { activity } = opened.gitlab
    const api = addProject('acme/api')
    activity.moveIssue(shop.project, open('Moves'), api)
    const hidden = activity.addProject({ fullPath: 'other/x', members: { mallory: 'owner' } })
    activity.moveIssue(shop.project, open('Leaves'), hidden)
    expect(await issues.findIssues(['acme/shop#1', 'acme/shop#2'])).toMatchObject([
      { key: 'acme/shop#1', outcome: 'moved', issue: { key: 'acme/api#1', status: 'Open' } },
      { key: 'acme/shop#2', outcome: 'found', issue: { key: 'acme/shop#2', status: 'Moved' } },
    ])
    expect(opened.sent.slice(1)).toEqual(['POST /api/graphql'])
  })

  it('are found under the former path of a project', async () => {
    open('Stays')
    opened.gitlab.activity.moveProject(shop.project, 'acme/store')
    expect(await issues.findIssues(['acme/shop#1'])).toMatchObject([
      { key: 'acme/shop#1', outcome: 'moved', issue: { key: 'acme/store#1', title: 'Stays' } },
    ])
  })

  it('show nothing of a confidential one but its number and state, because chats show them', async () => {
    open('The password is public', { isConfidential: true, assignee: shop.user })
    open('The password is long')
    expect(await issues.findIssues(['acme/shop#1', 'acme/shop#2'])).toMatchObject([
      {
        outcome: 'found',
        issue: { key: 'acme/shop#1', title: null, assignee: null, status: 'Open' },
      },
      { issue: { title: 'The password is long' } },
    ])
  })

  it('show no title where GitLab does not say whether they are confidential', async () => {
    const row = { id: 1, iid: 1, title: 'Hidden', state: 'opened', web_url: opened.webUrl }
    const body = JSON.stringify([{ ...row, references: { full: 'acme/shop#1' } }])
    const headers = { 'content-type': 'application/json' }
    const fault = { kind: 'answer', status: 200, headers, body } as const
    opened.sandbox.faults.add({ provider: 'gitlab', fault })
    expect(await issues.findIssues(['acme/shop#1'])).toMatchObject([
      { outcome: 'found', issue: { title: null, status: 'Open' } },
    ])
  })

  it('are absent for a person who may not see that they are confidential', async () => {
    const { activity } = opened.gitlab
    const members = { ada: 'owner', grace: 'guest' } as const
    open(
      'Secret',
      { isConfidential: true },
      activity.addProject({ fullPath: 'acme/vault', members }),
    )
    expect(await opened.issuesAs('grace').findIssues(['acme/vault#1'])).toMatchObject([
      { outcome: 'absent' },
    ])
    expect(await issues.findIssues(['acme/vault#1'])).toMatchObject([{ outcome: 'found' }])
  })

  it('are asked for fifty at a time', async () => {
    for (let at = 0; at < 51; at += 1) open(`Issue ${at}`)
    const found = await issues.findIssues(
      Array.from({ length: 51 }, (_, at) => `acme/shop#${at + 1}`),
    )
    expect(found.every(({ outcome }) => outcome === 'found')).toBe(true)
    expect(opened.sent).toHaveLength(2)
  })

  it('wait where GitLab limits the calls', async () => {
    open('Waits')
    opened.gitlab.settings.callsPerMinute = 1
    await issues.findIssues(['acme/shop#1'])
    await expect(issues.findIssues(['acme/shop#1'])).rejects.toMatchObject({
      failure: 'rateLimited',
    })
  })

  it('are of projects, which are listed and searched', async () => {
    addProject('acme/api')
    const first = await issues.listProjects({ query: undefined, page: undefined, limit: 1 })
    expect(first).toMatchObject({ projects: [{ key: 'acme/api', name: 'api' }], nextPage: '2' })
    const next = await issues.listProjects({ query: undefined, page: '2', limit: 1 })
    expect(next).toMatchObject({ projects: [{ key: 'acme/shop' }], nextPage: undefined })
    const found = await issues.listProjects({ query: 'API', page: undefined, limit: 5 })
    expect(found.projects).toEqual([{ key: 'acme/api', name: 'api' }])
  })
})
