import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommitStatus } from '../codehosts/commit-status.ts'
import { parseForgejoEvent } from './webhook-events.ts'
import { openForgejo, type OpenForgejo } from './testing/open-forgejo.ts'

let opened: OpenForgejo
let shop: ReturnType<OpenForgejo['addShop']>

beforeEach(async () => {
  opened = await openForgejo()
  shop = opened.addShop()
})
afterEach(() => opened.close())

const api = () => opened.apiWith(['write:repository', 'read:repository', 'read:user'])
const open = (of: { readonly fromFork?: boolean } = {}) => {
  const { activity } = opened.forgejo
  const from =
    of.fromFork === true
      ? activity.fork(shop.repository, { fullName: 'ada/shop' })
      : shop.repository
  return activity.openPull(shop.repository, { author: shop.user, branch: 'topic', from })
}

describe('a pull request', () => {
  it('is found by its number with what it proposes', async () => {
    const { issue, headSha } = open()
    expect(await api().pullRequests.find(shop.id, issue.number)).toEqual({
      number: 1,
      url: `${opened.webUrl}/acme/shop/pulls/1`,
      state: 'open',
      headSha,
      headRef: 'topic',
      isFork: false,
      updatedAt: expect.any(Date),
    })
    expect(await api().pullRequests.find(shop.id, 99)).toBeUndefined()
  })

  it('is found where its repository was renamed meanwhile', async () => {
    const { issue } = open()
    const { pullRequests } = api()
    await pullRequests.find(shop.id, issue.number)
    opened.forgejo.activity.rename(shop.repository, 'acme/store')
    expect(await pullRequests.find(shop.id, issue.number)).toMatchObject({ number: 1 })
  })

  it('is closed, or merged, by what the instance says', async () => {
    const { activity } = opened.forgejo
    const [closed, merged] = [open(), open()]
    activity.closePull(shop.repository, closed)
    activity.mergePull(shop.repository, merged)
    const { pullRequests } = api()
    expect(await pullRequests.find(shop.id, 1)).toMatchObject({ state: 'closed' })
    expect(await pullRequests.find(shop.id, 2)).toMatchObject({ state: 'merged' })
  })

  it('of a fork is one, also when the fork is gone', async () => {
    const pull = open({ fromFork: true })
    const find = () => api().pullRequests.find(shop.id, pull.issue.number)
    expect(await find()).toMatchObject({ isFork: true, headRef: 'topic' })
    if (pull.from !== undefined) opened.forgejo.activity.deleteRepository(pull.from)
    expect(await find()).toMatchObject({ isFork: true, headSha: pull.headSha })
  })

  it('has commits that name their parents', async () => {
    const { headSha } = open()
    const main = shop.repository.branches.get('main') ?? ''
    const { commits } = api()
    expect(await commits.get(shop.id, headSha)).toMatchObject({ parents: [main] })
    expect((await commits.compare(shop.id, main, headSha)).commits).toMatchObject([
      { parents: [main] },
    ])
  })
})

describe('the body of a webhook about a pull request', () => {
  const repository = {
    id: 1,
    full_name: 'acme/shop',
    html_url: 'https://codeberg.org/acme/shop',
    default_branch: 'main',
  }
  const body = (of: object = {}) =>
    Buffer.from(
      JSON.stringify({
        action: 'synchronized',
        number: 7,
        pull_request: {
          number: 7,
          html_url: 'https://codeberg.org/acme/shop/pulls/7',
          state: 'open',
          merged: false,
          head: { label: 'topic', ref: 'topic', sha: 'd'.repeat(40), repo_id: 1, repo: { id: 1 } },
          base: { label: 'main', ref: 'main', sha: 'e'.repeat(40), repo_id: 1, repo: { id: 1 } },
          updated_at: '2026-01-31T09:30:00+01:00',
          ...of,
        },
        repository,
        sender: { login: 'ada' },
      }),
    )
  const parse = (of: object = {}) => parseForgejoEvent('pull_request', body(of))

  it('is read as the instance says it is now', () => {
    expect(parse()).toEqual({
      type: 'pullRequest',
      repository: {
        externalId: 'codeberg.org/1',
        fullName: 'acme/shop',
        defaultBranch: 'main',
        url: 'https://codeberg.org/acme/shop',
      },
      pullRequest: {
        number: 7,
        url: 'https://codeberg.org/acme/shop/pulls/7',
        state: 'open',
        headSha: 'd'.repeat(40),
        headRef: 'topic',
        isFork: false,
        updatedAt: new Date('2026-01-31T08:30:00Z'),
      },
    })
    expect(parse({ state: 'closed' })).toMatchObject({ pullRequest: { state: 'closed' } })
    expect(parse({ state: 'closed', merged: true })).toMatchObject({
      pullRequest: { state: 'merged' },
    })
  })

  it.each([
    ['another repository', { repo: { id: 2 } }],
    ['one that is gone', { repo: null }],
    ['one that it does not name', {}],
  ])('is of a fork where its branch is in %s', (_where, of) => {
    const head = { ref: 'topic', sha: 'd'.repeat(40), ...of }
    expect(parse({ head })).toMatchObject({ pullRequest: { isFork: true } })
  })

  it.each([
    ['no head', { head: null }],
    ['no number', { number: undefined }],
    ['a moment that is none', { updated_at: 'yesterday' }],
  ])('is ignored with a reason with %s', (_what, of) => {
    expect(parse(of)).toEqual({ type: 'ignored', reason: expect.stringMatching(/\.$/) })
  })

  it('of reviews and comments is ignored', () => {
    for (const name of ['pull_request_comment', 'pull_request_approved']) {
      expect(parseForgejoEvent(name, body())).toMatchObject({ type: 'ignored' })
    }
  })
})

describe('the status of a commit', () => {
  const write = (of: Partial<CommitStatus> = {}) =>
    api().statuses.write(shop.id, {
      sha: shop.repository.branches.get('main') ?? '',
      name: 'Signalbox: configuration',
      state: 'failure',
      title: 'production lacks stripeKey',
      summary: '| production | missing |',
      url: 'https://signalbox.example.com/acme/deployments/checks/chk_1',
      annotations: [],
      externalId: null,
      ownId: 'chk_1',
      ...of,
    })

  it.each([
    ['pending', 'pending'],
    ['success', 'success'],
    ['neutral', 'success'],
    ['failure', 'failure'],
  ] as const)('%s is set as %s, with the title and the page', async (state, written) => {
    expect(await write({ state })).toEqual({ kind: 'commit_status', externalId: null, url: null })
    expect(shop.repository.commitStatuses).toMatchObject([
      {
        state: written,
        context: 'Signalbox: configuration',
        description: 'production lacks stripeKey',
        targetUrl: 'https://signalbox.example.com/acme/deployments/checks/chk_1',
      },
    ])
  })

  it('can be set again', async () => {
    await write()
    await write({ state: 'success', title: 'Ready in 3 environments' })
    expect(shop.repository.commitStatuses.at(-1)).toMatchObject({ state: 'success' })
  })

  it('is refused for a commit that is not there, and for a person who may not write', async () => {
    await expect(write({ sha: 'f'.repeat(40) })).rejects.toMatchObject({ failure: 'notFound' })
    shop.repository.members.set(shop.user.id, 'read')
    await expect(write()).rejects.toMatchObject({ failure: 'forbidden' })
  })
})
