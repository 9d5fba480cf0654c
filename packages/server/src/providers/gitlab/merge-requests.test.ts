import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommitStatus } from '../codehosts/commit-status.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'
import { parseGitlabEvent } from './webhook-events.ts'

let opened: OpenGitlab
let shop: ReturnType<OpenGitlab['addShop']>

beforeEach(async () => {
  opened = await openGitlab()
  shop = opened.addShop()
})
afterEach(() => opened.close())

const api = (scopes = ['api', 'read_api']) => opened.apiWith(scopes)
const open = (of: { readonly fromFork?: boolean } = {}) => {
  const { activity } = opened.gitlab
  const from =
    of.fromFork === true ? activity.forkProject(shop.project, { fullPath: 'ada/shop' }) : undefined
  return activity.openMergeRequest(shop.project, {
    author: shop.user,
    branch: 'topic',
    ...(from !== undefined && { from }),
  })
}

describe('a merge request', () => {
  it('is found by its number with what it proposes', async () => {
    const { iid, headSha, updatedAt } = open()
    expect(await api().pullRequests.find(shop.id, iid)).toEqual({
      number: 1,
      url: `${opened.webUrl}/acme/shop/-/merge_requests/1`,
      state: 'open',
      headSha,
      headRef: 'topic',
      isFork: false,
      updatedAt,
    })
    expect(await api().pullRequests.find(shop.id, 99)).toBeUndefined()
  })

  it('of a fork is one, also when the fork is gone', async () => {
    const mergeRequest = open({ fromFork: true })
    const find = () => api().pullRequests.find(shop.id, mergeRequest.iid)
    expect(await find()).toMatchObject({ isFork: true })
    if (mergeRequest.source !== undefined) {
      opened.gitlab.activity.deleteProject(mergeRequest.source)
    }
    expect(await find()).toMatchObject({ isFork: true, headRef: 'topic' })
  })

  it('is told by webhooks from its opening to its end, as it is read', async () => {
    const { activity, hooks, settings } = opened.gitlab
    const { project } = shop
    // Nobody listens, and the log holds what was sent.
    settings.disablesFailingHooks = false
    const url = 'http://127.0.0.1:1/hooks'
    await api().hooks?.install({
      url,
      repositoryIds: [shop.id],
      secrets: ['a'.repeat(40)],
      hooks: [],
      formerPaths: [],
      withIssues: false,
    })
    const mergeRequest = open()
    const first = mergeRequest.headSha
    await hooks.settled()
    const pushed = activity.pushToMergeRequest(project, mergeRequest)
    await hooks.settled()
    const steps = [
      () => activity.editMergeRequest(project, mergeRequest, 'Another title'),
      () => activity.closeMergeRequest(project, mergeRequest),
      () => activity.reopenMergeRequest(project, mergeRequest),
      () => activity.mergeMergeRequest(project, mergeRequest),
    ]
    for (const step of steps) {
      step()
      await hooks.settled()
    }
    const [hook] = project.hooks.values()
    const told = (hook?.events ?? []).map(({ requestHeaders, requestData }) => {
      const name = requestHeaders['X-Gitlab-Event'] ?? ''
      const event = parseGitlabEvent(name, Buffer.from(JSON.stringify(requestData)))
      return event.type === 'pullRequest'
        ? [event.repository.fullName, event.pullRequest.state, event.pullRequest.headSha]
        : [event.type]
    })
    expect(told).toEqual([
      ['acme/shop', 'open', first],
      ['acme/shop', 'open', pushed.sha],
      ['acme/shop', 'open', pushed.sha],
      ['acme/shop', 'closed', pushed.sha],
      ['acme/shop', 'open', pushed.sha],
      ['acme/shop', 'merged', pushed.sha],
    ])
    expect(await api().pullRequests.find(shop.id, 1)).toMatchObject({ state: 'merged' })
  })

  it('has commits that name their parents', async () => {
    const { headSha } = open()
    const main = shop.project.branches.get('main') ?? ''
    const { commits } = api()
    expect(await commits.get(shop.id, headSha)).toMatchObject({ parents: [main] })
    expect((await commits.compare(shop.id, main, headSha)).commits).toMatchObject([
      { parents: [main] },
    ])
  })
})

describe('the body of a Merge Request Hook', () => {
  const body = (of: object = {}) =>
    Buffer.from(
      JSON.stringify({
        object_kind: 'merge_request',
        event_type: 'merge_request',
        user: { id: 1, name: 'Ada', username: 'ada' },
        project: {
          id: 14,
          path_with_namespace: 'acme/shop',
          web_url: 'https://gitlab.example.com/acme/shop',
          default_branch: 'main',
        },
        object_attributes: {
          id: 99,
          iid: 7,
          target_branch: 'main',
          source_branch: 'ms-viewport',
          source_project_id: 14,
          target_project_id: 14,
          state: 'opened',
          created_at: '2013-12-03T17:23:34Z',
          updated_at: '2013-12-03 17:23:34 UTC',
          url: 'https://gitlab.example.com/acme/shop/merge_requests/7',
          last_commit: { id: 'd'.repeat(40), message: 'fixed readme' },
          action: 'open',
          ...of,
        },
      }),
    )
  const parse = (of: object = {}) => parseGitlabEvent('Merge Request Hook', body(of))

  it('is read in the form of its documentation', () => {
    expect(parse()).toEqual({
      type: 'pullRequest',
      repository: {
        externalId: 'gitlab.example.com/14',
        fullName: 'acme/shop',
        defaultBranch: 'main',
        url: 'https://gitlab.example.com/acme/shop',
      },
      pullRequest: {
        number: 7,
        url: 'https://gitlab.example.com/acme/shop/merge_requests/7',
        state: 'open',
        headSha: 'd'.repeat(40),
        headRef: 'ms-viewport',
        isFork: false,
        updatedAt: new Date('2013-12-03T17:23:34Z'),
      },
    })
  })

  it.each([
    ['opened', 'open'],
    ['locked', 'open'],
    ['merged', 'merged'],
    ['closed', 'closed'],
    ['brand_new', 'closed'],
  ])('of the state %s is %s', (state, read) => {
    expect(parse({ state })).toMatchObject({ pullRequest: { state: read } })
  })

  it.each([
    ['another project', { source_project_id: 15 }],
    ['one that is gone', { source_project_id: null }],
    ['one that it does not name', { source_project_id: undefined }],
  ])('is of a fork where its branch is in %s', (_where, of) => {
    expect(parse(of)).toMatchObject({ pullRequest: { isFork: true } })
  })

  it.each([
    ['no commit', { last_commit: null }],
    ['no number', { iid: undefined }],
    ['a moment that is none', { updated_at: 'yesterday' }],
  ])('is ignored with a reason with %s', (_what, of) => {
    expect(parse(of)).toEqual({ type: 'ignored', reason: expect.stringMatching(/\.$/) })
  })
})

describe('the status of a commit', () => {
  const write = (of: Partial<CommitStatus> = {}) =>
    api().statuses.write(shop.id, {
      sha: shop.project.branches.get('main') ?? '',
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
    ['failure', 'failed'],
  ] as const)('%s is set as %s, with the title and the page', async (state, status) => {
    expect(await write({ state })).toEqual({ kind: 'commit_status', externalId: null, url: null })
    expect(shop.project.commitStatuses).toMatchObject([
      {
        status,
        name: 'Signalbox: configuration',
        description: 'production lacks stripeKey',
        targetUrl: 'https://signalbox.example.com/acme/deployments/checks/chk_1',
      },
    ])
  })

  it('can be set again, also where GitLab says that it is so already', async () => {
    await write({ state: 'pending' })
    await write({ state: 'pending' })
    await write({ title: 'production lacks stripeKey' })
    await write({ title: 'production lacks 2 keys' })
    await write({ state: 'success', title: 'Ready in 3 environments' })
    expect(shop.project.commitStatuses.at(-1)).toMatchObject({
      status: 'success',
      description: 'Ready in 3 environments',
    })
  })

  it('is tried again later while another one is being written', async () => {
    const fault = { kind: 'answer', status: 409, body: '{"message":"Another update"}' } as const
    opened.sandbox.faults.add({ provider: 'gitlab', request: 'POST ', fault })
    await expect(write()).rejects.toMatchObject({ failure: 'unavailable', code: 'http_409' })
  })

  it.each([
    ['a commit that is not there', 404, 'notFound'],
    ['a role that may not', 403, 'forbidden'],
    ['anything else that is wrong', 400, 'rejected'],
  ] as const)('is refused for %s', async (_why, status, failure) => {
    const fault = { kind: 'answer', status, body: '{"message":"No"}' } as const
    opened.sandbox.faults.add({ provider: 'gitlab', request: 'POST ', fault })
    await expect(write()).rejects.toMatchObject({ failure })
  })
})
