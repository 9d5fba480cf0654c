import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { historyScopes } from '../../providers/slack/find-message.ts'
import { slackScopes } from '../../providers/slack/connector.ts'
import { openSlack, type SlackWorkspace } from '../testing/open-slack.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { refreshNotifications } from './refresh-notification.ts'
import { releaseNotifications, sweepNotifications } from './release-notifications.ts'
import { sendNotification } from './send-notification.ts'

let world: SlackWorkspace

beforeEach(async () => {
  world = await openSlack()
})
afterEach(() => world.close())

const withHistory = [...slackScopes, ...historyScopes]
const messages = () => world.sandbox.slack.messages('deployments')
const row = (id: string) => world.app.rowOf(id)

/** Lets time pass at Slack and here, and sends all that is due then, as often as that. */
async function pass(seconds: number, rounds = 1) {
  const { sandbox, deps, app } = world
  for (let round = 0; round < rounds; round += 1) {
    sandbox.clock.advance(seconds * 1000)
    app.queued.splice(0)
    await sweepNotifications(deps)
    for (const { orgId, id } of app.queued.splice(0)) await sendNotification(deps, { orgId, id })
  }
}

/** Deploys, and loses the answer to the first post, which arrived. */
async function lose(scopes: readonly string[]) {
  const { sandbox, deps, app } = world
  await world.connect(scopes)
  await world.choose('deployments')
  const id = await app.addDeployment('success')
  await refreshNotifications(deps, refreshOf(app.orgId, id))
  const request = 'POST /chat.postMessage'
  sandbox.faults.add({ provider: 'slack', request, fault: { kind: 'cut' } })
  await pass(10)
  expect(await row(id)).toMatchObject({ state: 'wanted', message_id: null })
  return id
}

describe('a message to Slack while it is away', () => {
  it.each([
    [
      'answers 503',
      { kind: 'answer', status: 503, body: '<html>Service Unavailable</html>' } as const,
    ],
    [
      'says so',
      { kind: 'answer', status: 200, body: '{"ok":false,"error":"service_unavailable"}' } as const,
    ],
  ])('and %s is posted once it is back, without a person', async (_, fault) => {
    const { sandbox, deps, app } = world
    await world.connect(slackScopes)
    await world.choose('deployments')
    const id = await app.addDeployment('success')
    await refreshNotifications(deps, refreshOf(app.orgId, id))
    sandbox.faults.add({ provider: 'slack', times: 4, fault })
    await pass(10, 12)
    expect(messages()).toHaveLength(1)
    expect(await row(id)).toMatchObject({ state: 'live', reason: null })
  })
})

describe('a message to Slack whose answer was lost', () => {
  it('is found in the channel, which the bot enters to look, although Slack has forgotten its key', async () => {
    world.sandbox.slack.clientMsgIdWindowMs = 0
    const id = await lose(withHistory)
    await pass(20, 8)
    expect(messages()).toMatchObject([{ editCount: 1 }])
    expect(await row(id)).toMatchObject({ state: 'live', reason: null })
  })

  it('waits for a person once Slack has forgotten its key, and is found after Slack is connected with more access', async () => {
    const id = await lose(slackScopes)
    await pass(31, 3)
    expect(await row(id)).toMatchObject({ state: 'broken', reason: 'outcome_unknown' })
    expect(await world.integration()).toMatchObject({
      settings: { defaultChannelReason: 'outcome_unknown' },
    })
    const release = () =>
      world.app.test.store.transaction({ orgId: world.app.orgId }, (tx) =>
        releaseNotifications(world.deps, tx, world.app.orgId, { routeId: null }),
      )
    // Connected again without it, it waits on.
    await release()
    await pass(10, 3)
    expect(await row(id)).toMatchObject({ state: 'broken', reason: 'outcome_unknown' })
    await world.connect(withHistory)
    await world.choose('deployments')
    await release()
    await pass(10, 5)
    expect(messages()).toMatchObject([{ editCount: 1 }])
    expect(await row(id)).toMatchObject({ state: 'live' })
  })

  it('is found in the thread that it was sent to', async () => {
    const { sandbox, deps, app } = world
    await world.connect(withHistory)
    await world.choose('deployments')
    sandbox.slack.invite('deployments')
    const id = await app.addDeployment('failure')
    await app.test.asOwner(
      `insert into deployment_commits (org_id, deployment_id, position, sha, message)
       select $1, $2, n, 'sha' || n, 'Commit ' || n from generate_series(1, 3) n`,
      [app.orgId, id],
    )
    await refreshNotifications(deps, refreshOf(app.orgId, id))
    await pass(10)
    expect(messages()).toMatchObject([{ thread: [] }])
    const fault = { kind: 'cut' } as const
    sandbox.faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
    await pass(10, 8)
    expect(messages()).toMatchObject([{ thread: [{ editCount: 1 }] }])
    const replies = sandbox.log.list().filter(({ path }) => path.includes('/conversations.replies'))
    expect(replies).not.toEqual([])
  })

  it('control: sent again once Slack has forgotten its key, is there twice', async () => {
    await lose(slackScopes)
    await world.app.test.asOwner('update notifications set first_tried_at = null')
    await pass(70, 3)
    expect(messages()).toHaveLength(2)
  })
})
