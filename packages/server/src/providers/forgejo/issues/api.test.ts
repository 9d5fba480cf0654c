import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TrackerApi } from '../../tracker.ts'
import { openForgejo, type OpenForgejo } from '../testing/open-forgejo.ts'

let opened: OpenForgejo
let shop: ReturnType<OpenForgejo['addShop']>
let issues: TrackerApi

beforeAll(async () => {
  opened = await openForgejo()
})
beforeEach(() => {
  opened.sandbox.reset()
  opened.sent.length = 0
  shop = opened.addShop()
  issues = opened.issuesAs('ada')
})
afterAll(() => opened.close())

const open = (title: string, more: object = {}, repository = shop.repository) =>
  opened.forgejo.activity.openIssue(repository, { title, author: shop.user, ...more })

describe('issues of Forgejo', () => {
  it('are found with their title, state, assignee and page', async () => {
    const done = open('Done', { assignee: shop.user })
    opened.forgejo.activity.closeIssue(shop.repository, done)
    open('Fails')
    const found = await issues.findIssues(['acme/shop#1', 'acme/shop#2', 'acme/shop#1'])
    expect(found).toMatchObject([
      {
        key: 'acme/shop#1',
        outcome: 'found',
        issue: {
          externalId: String(done.id),
          key: 'acme/shop#1',
          title: 'Done',
          status: 'Closed',
          statusCategory: 'done',
          type: null,
          priority: null,
          assignee: 'Ada',
          url: `${opened.webUrl}/acme/shop/issues/1`,
        },
      },
      { issue: { title: 'Fails', status: 'Open', statusCategory: 'new', assignee: null } },
    ])
    expect(opened.sent).toHaveLength(2)
  })

  it('are absent where no issue has the number, and no keys where no repository is shown', async () => {
    open('There')
    opened.forgejo.activity.addRepository({ fullName: 'other/x', members: { mallory: 'admin' } })
    const keys = ['acme/shop#9', 'acme/gone#1', 'acme/gone#2', 'other/x#1', 'acme/..#1']
    expect(await issues.findIssues(keys)).toMatchObject([
      { outcome: 'absent' },
      { outcome: 'noProject' },
      { outcome: 'noProject' },
      { outcome: 'noProject' },
      { outcome: 'noProject' },
    ])
    expect(opened.sent.filter((line) => line.includes('gone'))).toHaveLength(2)
    expect(opened.sent.join()).not.toContain('..')
  })

  it('are no pull requests, which have numbers of the same row', async () => {
    open('A pull request', { isPull: true })
    expect(await issues.findIssues(['acme/shop#1'])).toEqual([
      {
        key: 'acme/shop#1',
        outcome: 'noIssue',
        reason: 'It is the number of a pull request.',
      },
    ])
  })

  it('are found under the former name of a repository', async () => {
    open('Stays')
    opened.forgejo.activity.rename(shop.repository, 'acme/store')
    expect(await issues.findIssues(['acme/shop#1', 'acme/shop#2'])).toMatchObject([
      { key: 'acme/shop#1', outcome: 'moved', issue: { key: 'acme/store#1', title: 'Stays' } },
      { key: 'acme/shop#2', outcome: 'absent' },
    ])
  })

  it('are of repositories, which are listed and searched', async () => {
    const web = opened.forgejo.activity.addRepository({ fullName: 'acme/web' })
    web.isArchived = true
    opened.forgejo.activity.addRepository({ fullName: 'acme/api' })
    const list = (query?: string) => issues.listProjects({ query, page: undefined, limit: 5 })
    expect(await list()).toEqual({
      projects: [
        { key: 'acme/shop', name: 'shop' },
        { key: 'acme/api', name: 'api' },
      ],
      nextPage: undefined,
    })
    expect((await list('API')).projects).toEqual([{ key: 'acme/api', name: 'api' }])
  })
})
