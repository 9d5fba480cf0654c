import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeProtected, type Protected } from '../configs/requests/testing/protected-app.ts'
import { openConfigApp, type ConfigApp } from '../configs/testing/open-config-app.ts'
import { slackScopes } from '../providers/slack/connector.ts'
import { refreshNotifications } from './sending/refresh-notification.ts'
import { sweepNotifications } from './sending/release-notifications.ts'
import { sendNotification } from './sending/send-notification.ts'
import { openNotifications } from './testing/open-notifications.ts'
import { openSlack, type SlackWorkspace } from './testing/open-slack.ts'
import { refreshOf } from './testing/refresh-of.ts'

let config: ConfigApp
let shop: Protected
let slack: SlackWorkspace

beforeEach(async () => {
  config = await openConfigApp()
  shop = await makeProtected(config)
  await config.test.asOwner('update environments set production = true where id = $1', [
    shop.production,
  ])
  const app = { ...(await openNotifications(config.test)), orgId: config.orgId }
  slack = await openSlack({ app, keys: config.deps.keys })
  await slack.connect(slackScopes)
  await slack.choose('deployments')
  config.emittedIds.splice(0)
})
afterEach(async () => {
  await slack.close()
  await config.close()
})

/** Lets time pass at Slack, and sends all that is due then. */
async function pass(rounds = 4) {
  for (let round = 0; round < rounds; round += 1) {
    slack.sandbox.clock.advance(10_000)
    await sweepNotifications(slack.deps)
    for (const job of slack.app.queued.splice(0)) await work(job)
  }
}

async function work({ queue, id }: { readonly queue: string; readonly id: string }) {
  const { orgId } = config
  if (queue === 'notifications.refresh')
    await refreshNotifications(slack.deps, refreshOf(orgId, id))
  else await sendNotification(slack.deps, { orgId, id })
}

/** Does what follows from the events that were emitted. */
async function hear() {
  for (const id of config.emittedIds.splice(0)) {
    await work({ queue: 'notifications.refresh', id })
  }
  await pass()
}

const messages = (channel = 'deployments') => slack.sandbox.slack.messages(channel)
const titles = (channel = 'deployments') =>
  messages(channel).map(({ text }) => text.split(' · ')[0])
const said = (channel = 'deployments') => JSON.stringify(messages(channel))
const act = async (as: string, what: string, body: object = {}) => {
  await config.ok(as, `POST /change-requests/1/${what}`, { body })
  await hear()
}

async function ask(values: object = { title: 'Two', stripeKey: 'sk_live_2', subtitle: 'New' }) {
  const { body } = await shop.ask('ada', values)
  await hear()
  return body as { readonly id: string }
}

async function addRoute(channel: string, events: readonly string[], ids: string[] | null = null) {
  await slack.app.addRoute({
    org_id: config.orgId,
    channel_id: slack.sandbox.slack.channelId(channel),
    events,
    match: JSON.stringify({
      environmentIds: ids,
      repositories: null,
      branches: null,
      states: 'always',
    }),
  })
}

describe('a change request in the chat', () => {
  it('is one message through all of its states, and its version has none of its own', async () => {
    const { id } = await ask()
    expect(titles()).toEqual([
      '⏸ ada asks to change stripeKey and 2 more in production: 0 of 1 approval',
    ])
    await shop.review('ben', id, 'decline')
    await hear()
    expect(titles()).toEqual([
      '❌ ada asks to change stripeKey and 2 more in production: declined by ben',
    ])
    await shop.review('ben', id, 'approve')
    await hear()
    expect(titles()).toEqual([
      '⏳ ada asks to change stripeKey and 2 more in production: approved by ben',
    ])
    await act('ada', 'apply')
    expect(titles()).toEqual(['🔧 ada changed stripeKey and 2 more in production: approved by ben'])
    expect(messages()).toMatchObject([{ editCount: 3 }])
    expect(said()).toContain('/requests/1')
    expect(said()).toContain('Keys: stripeKey, subtitle, title')
    expect(said()).not.toMatch(/sk_live|New|Two/)
    expect(await shop.read()).toMatchObject({ title: 'Two' })
  })

  it('control: a version that no request made has a message, and so would this one', async () => {
    await shop.set('m2m', { title: 'Three' })
    const { id } = await ask()
    await shop.review('ben', id, 'approve')
    await act('ada', 'apply')
    expect(titles()).toHaveLength(1)
    await config.test.asOwner('delete from change_request_versions')
    const [version] = await config.test.asOwner<{ id: string }>(
      `select id from config_versions where environment_id = $1 order by version desc limit 1`,
      [shop.production],
    )
    await work({ queue: 'notifications.refresh', id: version?.id ?? '' })
    await pass()
    expect(titles()[1]).toContain('Configuration of production changed: web v3')
  })

  it('says what it became while the chat was away, once it is back', async () => {
    const { id } = await ask()
    const fault = { kind: 'answer', status: 503, body: 'away' } as const
    slack.sandbox.faults.add({ provider: 'slack', times: 1000, fault })
    await shop.review('ben', id, 'approve')
    await act('ada', 'apply')
    expect(titles()[0]).toContain('0 of 1 approval')
    slack.sandbox.faults.reset()
    for (let wait = 0; wait < 10; wait += 1) {
      slack.sandbox.clock.advance(15 * 60_000)
      await pass(1)
    }
    expect(titles()).toEqual(['🔧 ada changed stripeKey and 2 more in production: approved by ben'])
  })

  it.each([
    ['withdrawn', '⚪ ada asks to change title in production: withdrawn'],
    ['expired', '⚪ ada asks to change title in production: expired without a decision'],
    ['failed', '❌ ada asks to change title in production: failed, nothing was applied'],
  ])('that is %s says so in its message', async (state, title) => {
    const { id } = await ask({ title: 'Two' })
    await config.test.asOwner(
      `update change_requests set state = $2, failure = '{"code":"too_late","detail":"x"}' where id = $1`,
      [id, state],
    )
    await work({ queue: 'notifications.refresh', id })
    await pass()
    expect(titles()).toEqual([title])
  })

  it('that meets a change of somebody else says so, and names the key', async () => {
    const { id } = await ask({ title: 'Two' })
    await shop.review('ben', id, 'approve')
    const other = await shop.ask('cleo', { title: 'Other' })
    await shop.review('ben', other.body.id)
    await config.ok('cleo', `POST /change-requests/${other.body.id}/apply`)
    const refused = await config.call('ada', `POST /change-requests/${id}/apply`)
    expect(refused.body.code).toBe('conflict')
    await hear()
    expect(titles()[0]).toBe(
      '⚠️ ada asks to change title in production: somebody else has changed it in the meantime',
    )
    expect(said()).toContain('Changed by others: title')
    expect(titles()).toHaveLength(2)
  })

  it('that a restore of the database ends says so, although no job follows it', async () => {
    const { id } = await ask({ title: 'Two' })
    await act('ada', 'schedule', { applyAt: new Date(Date.now() + 3_600_000).toISOString() })
    await config.test.asOwner('update publisher_state set epoch = epoch + 1')
    await config.test.asOwner(`update change_requests set updated_at = $2 where id = $1`, [
      id,
      slack.sandbox.clock.now(),
    ])
    await pass()
    expect(titles()).toEqual([
      '❌ ada asks to change title in production: failed, nothing was applied',
    ])
    expect(said()).toContain('The database was restored from a backup')
  })

  it('goes to the routes of production, and where it lacked approvals once to each channel of its environments', async () => {
    for (const name of ['watchers', 'staging']) slack.sandbox.slack.addChannel({ name })
    await addRoute('general', ['protected_configuration'])
    await addRoute('general', ['deployment'])
    await addRoute('watchers', ['deployment'], [shop.production])
    await addRoute('staging', ['deployment'], [shop.staging])
    await ask({ title: 'Two' })
    expect(titles('general')).toHaveLength(1)
    await act('dan', 'override', { comment: 'Customers cannot pay at all' })
    const title = '⚠️ dan changed title in production without the approvals that it needs'
    expect(titles('general')).toEqual([title])
    expect(titles('watchers')).toEqual([title])
    expect(said('watchers')).toContain('Customers cannot pay at all')
    expect(titles('staging')).toEqual([])
    expect(titles()).toEqual([])
    await act('ben', 'acknowledge')
    expect(said('watchers')).toContain('Acknowledged by ben')
  })

  it('is not news where nobody has to approve it and no production changes', async () => {
    await config.ok('ada', 'POST /change-requests', {
      body: {
        title: 'In staging',
        operation: {
          kind: 'values',
          body: {
            schemaId: shop.schemaId,
            changes: [{ environmentId: shop.staging, set: { title: 'x' } }],
          },
        },
      },
    })
    await hear()
    expect(titles()).toEqual([])
  })
})
