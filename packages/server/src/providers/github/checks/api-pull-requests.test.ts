import { describe, expect, it } from 'vitest'
import { openGithub } from '../testing/open-github.ts'
import { parseGithubEvent } from '../webhook-events.ts'

async function openPullRequest() {
  const opened = await openGithub()
  const { github, repository, ada, repositoryId, api } = opened
  const { activity } = github
  return {
    ...opened,
    activity,
    find: (number: number) => api.pullRequests.find(repositoryId, number),
    propose: (of: { readonly fromFork?: boolean } = {}) => {
      const from = of.fromFork === true ? activity.fork(repository, ada) : repository
      return activity.propose(repository, { author: ada, from, branch: 'topic' })
    },
    /** Lists what the webhooks say of pull requests, oldest first. */
    heard: async () => {
      await github.hooks.settled()
      const deliveries = github.hooks.deliveries.list(github.app.id).toReversed()
      return deliveries
        .filter(({ event }) => event === 'pull_request')
        .map(({ json }) => parseGithubEvent('pull_request', Buffer.from(json)))
    },
  }
}

describe('a pull request', () => {
  it('is found by its number with what it proposes', async () => {
    const { find, propose, addresses } = await openPullRequest()
    const pull = propose()
    expect(await find(pull.number)).toEqual({
      number: 1,
      url: `${addresses.githubWeb}/acme/shop/pull/1`,
      state: 'open',
      headSha: pull.headSha,
      headRef: 'topic',
      isFork: false,
      updatedAt: expect.any(Date),
    })
    expect(await find(99)).toBeUndefined()
  })

  it('is told by webhooks from its opening to its end, as it is read', async () => {
    const { activity, repository, propose, heard, find } = await openPullRequest()
    const pull = propose()
    const first = pull.headSha
    const pushed = activity.pushToPullRequest(repository, pull)
    activity.editPullRequest(repository, pull, 'Another title')
    activity.closePullRequest(repository, pull)
    activity.reopenPullRequest(repository, pull)
    activity.mergePullRequest(repository, pull)
    const told = (await heard()).map((event) =>
      event.type === 'pullRequest'
        ? [event.pullRequest.state, event.pullRequest.headSha]
        : [event.type],
    )
    expect(told).toEqual([
      ['open', first],
      ['open', pushed.sha],
      ['open', pushed.sha],
      ['closed', pushed.sha],
      ['open', pushed.sha],
      ['merged', pushed.sha],
    ])
    expect(await find(pull.number)).toMatchObject({ state: 'merged', headSha: pushed.sha })
  })

  it('of a fork is one, also when the fork is gone', async () => {
    const { activity, propose, find, heard } = await openPullRequest()
    const pull = propose({ fromFork: true })
    expect(await find(pull.number)).toMatchObject({ isFork: true })
    expect(await heard()).toMatchObject([
      { repository: { fullName: 'acme/shop' }, pullRequest: { isFork: true } },
    ])
    if (pull.from !== undefined) activity.deleteFork(pull.from)
    expect(await find(pull.number)).toMatchObject({ isFork: true, headRef: 'topic' })
  })

  it('has a merge of its own, whose parents are the branch and its head', async () => {
    const { propose, api, repository, repositoryId } = await openPullRequest()
    const pull = propose()
    const main = repository.branches.get('main')
    const merge = await api.commits.get(repositoryId, pull.mergeSha)
    expect(merge.parents).toEqual([main, pull.headSha])
    const { commits } = await api.commits.compare(repositoryId, main ?? '', pull.headSha)
    expect(commits.map(({ parents }) => parents)).toEqual([[main]])
  })
})
