import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { openConnected, type Connected } from '../testing/open-connected.ts'

interface Shown {
  readonly [name: string]: unknown
}

// Edits of a message are three seconds apart: what is left is for a machine that is busy.
const within = { timeout: 40_000, interval: 50 }
const kinds = ['codehost', 'tracker', 'chat'] as const

let sandbox: Sandbox
let service: Connected

/** Adds a repository at GitHub that has issues and no code. */
function addPlans() {
  const { activity, state } = sandbox.github
  const ada = state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost Ada')
  const repository = activity.addRepository({ owner: ada, name: 'plans' })
  return {
    repository,
    issue: activity.openIssue(repository, { title: 'Show the delivery date', author: ada }),
  }
}

let plans: ReturnType<typeof addPlans>

/** Connects Forgejo, GitHub Issues and Mattermost, as an admin does, with the tests of the shop. */
beforeAll(async () => {
  sandbox = await startSandbox()
  const { apiUrl, ...opened } = await openConnected({
    sandbox,
    initialHoldMs: 300,
    more: sandbox.settingsOf(['forgejo', 'mattermost']),
  })
  service = { apiUrl, ...opened }
  await sandbox.register(apiUrl, ['forgejo'])
  sandbox.stage.open()
  sandbox.forgejo.codeHost.open(() => ({
    end: 'success',
    durationMs: 0,
    cases: [{ name: 'The basket keeps its currency', seconds: 1, failure: undefined }],
    lastStep: () => Promise.resolve(),
    afterwards() {},
  }))
  const { ask, connect } = service
  await connect('codehost', 'forgejo')
  plans = addPlans()
  // It comes back at the address that GitHub's application is registered with.
  await connect('tracker', 'github-issues', { account: 'ada' }, 'codehost')
  const values = { token: sandbox.mattermost.botToken }
  await ask('POST /integrations/chat/connection', { provider: 'mattermost', values })
  const defaultChannelId = sandbox.mattermost.channelId('Deployments')
  await ask('PATCH /integrations/chat', { defaultChannelId })
  const testWorkflows = [{ workflowId: 'e2e.yml', debounceSeconds: 0 }]
  await ask('PATCH /integrations/codehost', { testWorkflows })
})
afterAll(() => service.close())

const shop = () => sandbox.forgejo.codeHost.shop()
/** Opens an issue in the shop. Returns what changes its title later. */
const openIssue = (title: string) => {
  const { activity, state } = sandbox.forgejo
  const author = state.users.get('ada')
  if (author === undefined) throw new Error('The seed has lost Ada')
  const issue = activity.openIssue(shop(), { title, author })
  return {
    number: issue.number,
    rename: (next: string) => activity.editIssue(shop(), issue, next),
  }
}
const statusOf = (kind: string) => service.ask<Shown>(`GET /integrations/${kind}`)

/** Reports a state as the pipeline of a host without deployments does. */
const report = (sha: string, state: string) =>
  service.ask<{ readonly id: string }>('POST /deployments', {
    repository: 'acme/shop',
    sha,
    ref: 'main',
    environment: 'staging',
    state,
    externalId: sha,
  })
const push = (message: string) =>
  sandbox.forgejo.codeHost.push('main', { commits: [{ message, modified: [] }] })

describe('a code host without deployments', { timeout: 120_000 }, () => {
  it('is connected, has a webhook in its repository, and a sync that ends', async () => {
    for (const kind of kinds) {
      await expect
        .poll(() => statusOf(kind), within)
        .toMatchObject({ state: 'connected', missingScopes: [] })
    }
    const { syncId } = await service.ask<Shown>('POST /integrations/codehost/sync')
    const sync = () => service.ask<Shown>(`GET /integrations/codehost/sync/${String(syncId)}`)
    await expect.poll(sync, within).toMatchObject({ state: 'done' })
    await expect.poll(() => shop().hooks.size, within).toBe(1)
    const { checks } = await service.ask<{ checks: readonly Shown[] }>('GET /deployments/diagnosis')
    expect(checks.find(({ code }) => code === 'no_events')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('signalbox deployments report'),
    })
  })

  it('gets what its pipeline reports with commits, issue, tests and one message', async () => {
    await report(push('Prepare the release'), 'success')
    // A number alone is Forgejo's, whatever the repositories of GitHub are called.
    push('Merge #1 for ada/plans#1')
    const sha = push('Round prices')
    const { id } = await report(sha, 'in_progress')
    // The commits are in a reply below the message, since there are two.
    const ofDeployment = () =>
      sandbox.mattermost
        .messages('Deployments')
        .map(({ rootId, ...each }) => ({ isReply: rootId !== '', text: JSON.stringify(each) }))
        .filter(({ text }) => text.includes(sha.slice(0, 8)))
    const about = () => ofDeployment().flatMap(({ isReply, text }) => (isReply ? [] : [text]))
    await expect.poll(() => about().length, within).toBe(1)
    expect((await report(sha, 'success')).id).toBe(id)
    const detail = () => service.ask<Shown>(`GET /deployments/${id}`)
    await expect.poll(detail, within).toMatchObject({
      state: 'success',
      testState: 'passed',
      messageState: 'live',
      commits: [{ message: expect.anything() }, { message: expect.anything() }],
      issues: [{ key: 'ada/plans#1', title: 'Show the delivery date', state: 'linked' }],
    })
    await expect.poll(() => about().join(), within).toContain('passed')
    expect(about()).toHaveLength(1)
    expect(about()[0]).toContain('Show the delivery date')
    const replies = () => ofDeployment().filter(({ isReply }) => isReply)
    await expect.poll(replies, within).toHaveLength(1)

    // GitHub tells of the issue, though the code is elsewhere.
    sandbox.github.activity.editIssue(plans.repository, plans.issue, 'Show the day')
    await expect.poll(about, within).toEqual([expect.stringContaining('Show the day')])
    expect(replies()).toHaveLength(1)
    const { checks } = await service.ask<{ checks: readonly Shown[] }>('GET /deployments/diagnosis')
    expect(checks.find(({ code }) => code === 'no_events')).toMatchObject({ state: 'ok' })
  })

  it('has issues of its own, whose number in a commit is enough', async () => {
    await service.ask('DELETE /integrations/tracker')
    const tracker = { provider: 'forgejo-issues', values: {} }
    await service.ask('POST /integrations/tracker/connection', tracker)
    const events = () => [...shop().hooks.values()].map((hook) => hook.events)
    await expect.poll(events, within).toEqual([expect.arrayContaining(['issues'])])
    const issue = openIssue('Calculate the tax')
    const sha = push(`Calculate it at the checkout (#${issue.number})`)
    const { id } = await report(sha, 'success')
    const issues = async () => (await service.ask<Shown>(`GET /deployments/${id}`))['issues']
    const key = `acme/shop#${issue.number}`
    await expect.poll(issues, within).toMatchObject([{ key, title: 'Calculate the tax' }])
    issue.rename('Calculate the tax by country')
    await expect.poll(issues, within).toMatchObject([{ title: 'Calculate the tax by country' }])
  })

  it('loses its webhooks when it is disconnected, and says what is left to a person', async () => {
    await service.ask('DELETE /integrations/codehost')
    await expect.poll(() => shop().hooks.size, within).toBe(0)
    expect(await statusOf('tracker')).toMatchObject({ state: 'not_connected' })
    await expect
      .poll(() => statusOf('codehost'), within)
      .toMatchObject({
        revocation: {
          state: 'not_offered',
          detail: expect.stringMatching(/removed its webhooks.*Remove the application/),
          url: `${sandbox.addresses.forgejo}/user/settings/applications`,
        },
      })
  })
})
