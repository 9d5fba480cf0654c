import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeProtected, type Protected } from '../configs/requests/testing/protected-app.ts'
import { addProof } from '../configs/testing/add-proof.ts'
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
  await config.test.asOwner(
    `update environments set production = true, approvals = 0 where id = $1`,
    [shop.production],
  )
  const app = { ...(await openNotifications(config.test)), orgId: config.orgId }
  slack = await openSlack({ app, keys: config.deps.keys })
})
afterEach(async () => {
  await slack.close()
  await config.close()
})

const connect = async () => {
  await slack.connect(slackScopes)
  await slack.choose('deployments')
}

/** Lets time pass at Slack, and sends all that is due then. */
async function pass(rounds = 4) {
  for (let round = 0; round < rounds; round += 1) {
    slack.sandbox.clock.advance(10_000)
    await sweepNotifications(slack.deps)
    for (const { queue, id } of slack.app.queued.splice(0)) {
      if (queue === 'notifications.refresh') await refresh(id)
      else await sendNotification(slack.deps, { orgId: config.orgId, id })
    }
  }
}

const refresh = (id: string) => refreshNotifications(slack.deps, refreshOf(config.orgId, id))
const tell = async (...ids: string[]) => {
  for (const id of ids) await refresh(id)
  await pass()
}
const texts = () => slack.sandbox.slack.messages('deployments').map(({ text }) => text)
const said = () => JSON.stringify(slack.sandbox.slack.messages('deployments'))

/** Saves values, and returns the newest version of the environment. */
async function save(values: object, environmentId = shop.production) {
  await shop.set('m2m', values, environmentId)
  const [row] = await config.test.asOwner<{ id: string; version: number }>(
    'select id, version from config_versions where org_id = $1 and environment_id = $2 order by version desc limit 1',
    [config.orgId, environmentId],
  )
  return row ?? { id: '', version: 0 }
}

const watch = (versionId: string) => addProof(config.test, { orgId: config.orgId, versionId })
const endedAt = () => slack.sandbox.clock.now()
const detail = 'api-errors was 4.2, above 2'

async function end(id: string, state: string, more: object = {}) {
  const {
    restored = null,
    notRestored = null,
    stopped = null,
    code = 'signal',
  } = more as Record<string, unknown>
  const of = [state, endedAt(), { code, signal: null, detail }]
  await config.test.asOwner(
    `update proofs set state = $2, ended_at = $3, reason = $4, restored = $5, not_restored = $6, stopped = $7 where id = $1`,
    [id, ...of, restored === null ? null : JSON.stringify(restored), notRestored, stopped],
  )
}

/** Takes a change back as its proof does: a version, and the end of the proof. */
async function takeBack(proofId: string, environmentId = shop.production) {
  const back = await save({ title: 'One' }, environmentId)
  const restored = [{ environmentId, versionId: back.id, version: back.version, keys: ['title'] }]
  await end(proofId, 'failed', { restored })
  return back
}

describe('a change that is watched, in the chat', () => {
  it('is one message until it was taken back, and the version that took it back has none', async () => {
    await connect()
    const { id, version } = await save({ title: 'Two' })
    const proof = await watch(id)
    await tell(id, proof)
    const change = `🔧 Configuration of production changed: web v${version}`
    expect(texts()[0]?.startsWith(change)).toBe(true)
    expect(said()).toContain('Watched for 15 min by api-errors')
    const back = await takeBack(proof)
    await tell(back.id, proof, id)
    expect(texts()).toHaveLength(1)
    const end = `restored because ${detail}, now v${back.version}`
    expect(texts()[0]).toBe(`↩️ Configuration of production changed: web v${version}: ${end}`)
    // The next change is not held up by the version without a message.
    const next = await save({ title: 'Three' })
    await tell(next.id)
    expect(texts()[1]).toContain(`web v${next.version}`)
    // Control: without the proof, the version that took it back has a message.
    await config.test.asOwner('delete from proofs')
    await tell(back.id)
    expect(texts()).toHaveLength(3)
  })

  it.each([
    ['proven', {}, 'Proven by api-errors', '🔧'],
    ['proven', { stopped: { member: { name: 'Dan' }, as: 'proven' } }, 'Proven, says Dan', '🔧'],
    [
      'stopped',
      { stopped: { member: { name: 'Dan' }, as: 'tell' } },
      'Not watched any more, says Dan',
      '🔧',
    ],
    ['inconclusive', {}, `web v3: not proven: ${detail}`, '⚠️'],
    [
      'failed',
      { notRestored: { code: 'touched', keys: [], detail: 'Somebody has changed the key since.' } },
      'web v3: failed, not restored: Somebody has changed the key since',
      '❌',
    ],
  ])('that is %s says so in its message (%j)', async (state, more, words, sign) => {
    await connect()
    const { id } = await save({ title: 'Two' })
    const proof = await watch(id)
    await tell(id)
    await end(proof, state, more)
    await tell(proof)
    expect(texts()).toHaveLength(1)
    expect(texts()[0]?.startsWith(sign)).toBe(true)
    expect(said()).toContain(words)
    expect(said()).not.toContain('Two')
  })

  it('that was taken back before a chat was connected is told once it is', async () => {
    const { id } = await save({ title: 'Two' })
    const proof = await watch(id)
    await takeBack(proof)
    await refresh(proof)
    await connect()
    await pass()
    expect(texts()).toEqual([expect.stringContaining(`restored because ${detail}`)])
    await pass()
    expect(texts()).toHaveLength(1)
  })

  it('that was taken back in another environment is told in one message, although the change had none', async () => {
    await connect()
    const { id } = await save({ title: 'Two' }, shop.staging)
    const proof = await watch(id)
    await tell(id, proof)
    expect(texts()).toEqual([])
    const back = await takeBack(proof, shop.staging)
    await tell(back.id, proof)
    expect(texts()).toEqual([
      `↩️ Configuration of staging changed: web v3: restored because ${detail}, now v4`,
    ])
  })

  it('that a person deleted is told anew when it was taken back, and once', async () => {
    await connect()
    const { id } = await save({ title: 'Two' })
    const proof = await watch(id)
    await tell(id)
    const [message] = slack.sandbox.slack.messages('deployments')
    slack.sandbox.slack.deleteMessage('deployments', message?.ts ?? '')
    await takeBack(proof)
    await tell(proof)
    await tell(proof)
    expect(texts()).toEqual([expect.stringContaining(`restored because ${detail}`)])
  })

  it('that a restore of the database left without a result says so, although no job follows it', async () => {
    await connect()
    const { id } = await save({ title: 'Two' })
    await watch(id)
    await tell(id)
    await config.test.asOwner('update publisher_state set epoch = epoch + 1')
    await config.test.asOwner('update proofs set ended_at = $1', [endedAt()])
    await pass()
    expect(texts()).toEqual([
      '⚠️ Configuration of production changed: web v3: not proven: the database was restored from a backup, so nobody watched this change',
    ])
  })

  it('of a change request is told in the message of the request', async () => {
    await connect()
    await config.test.asOwner('update environments set approvals = 1 where id = $1', [
      shop.production,
    ])
    const { body } = await shop.ask('ada', { title: 'Two' })
    await shop.review('ben', body.id)
    await config.ok('ada', `POST /change-requests/${body.id}/apply`)
    const [row] = await config.test.asOwner<{ id: string }>(
      'select version_id as id from change_request_versions',
    )
    const proof = await watch(row?.id ?? '')
    await tell(body.id, proof)
    expect(texts()).toEqual(['🔧 ada changed title in production: approved by ben'])
    expect(said()).toContain('Watched for 15 min by api-errors')
    const back = await takeBack(proof)
    await tell(back.id, proof)
    expect(texts()).toEqual([
      `↩️ ada changed title in production: restored because ${detail}, now v${back.version}`,
    ])
    expect(said()).toContain('Approved by ben')
  })
})
