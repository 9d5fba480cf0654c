import { Webhook } from 'standardwebhooks'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { openShop, type TestShop } from '../testing/open-shop.ts'
import { startReceiver } from '../testing/receiver.ts'

const sandbox = await openSandbox()
const receiver = await startReceiver()
let shop: TestShop

beforeEach(() => {
  shop = openShop(sandbox)
})
afterEach(() => {
  receiver.received.length = 0
  receiver.status = 202
})
afterAll(() => receiver.close())

const signingToken = `whsec_${randomBytes(32).toString('base64')}`

async function call(method: string, path: string, body?: object, person = 'ada') {
  const token = sandbox.gitlab.createAccessToken(person, ['api'])
  const answer = await fetch(
    `${sandbox.addresses.gitlab}/api/v4/projects/acme%2Fshop/hooks${path}`,
    {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    },
  )
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const create = (fields: object = {}) =>
  call('POST', '', {
    url: receiver.url,
    deployment_events: true,
    push_events: false,
    token: 'secret',
    ...fields,
  })

async function deploy() {
  const deployment = shop.deploy('staging')
  sandbox.gitlab.activity.setDeploymentStatus(shop.project, deployment, 'running')
  await sandbox.gitlab.hooks.settled()
  return deployment
}

describe('a hook', () => {
  it('gets a deployment with the first digits of the commit and a time that is no ISO 8601', async () => {
    await create()
    const { id, sha } = await deploy()
    expect(receiver.received.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        object_kind: 'deployment',
        status: 'running',
        status_changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0200$/),
        deployment_id: id,
        environment: 'staging',
        environment_tier: 'staging',
        short_sha: sha.slice(0, 8),
      }),
    ])
    expect(receiver.received[0]?.body).not.toHaveProperty('sha')
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-gitlab-event': 'Deployment Hook',
      'x-gitlab-token': 'secret',
      'x-gitlab-instance': sandbox.addresses.gitlab,
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  it('is not told of a deployment that is created or blocked', async () => {
    await create()
    const deployment = shop.deploy('production')
    sandbox.gitlab.activity.setDeploymentStatus(shop.project, deployment, 'blocked')
    await sandbox.gitlab.hooks.settled()
    expect(receiver.received).toEqual([])
  })

  it('shares the id of an event with the other hooks, and has a message of its own', async () => {
    await create()
    await create()
    await deploy()
    const read = (name: string) => new Set(receiver.received.map(({ headers }) => headers[name]))
    expect(receiver.received).toHaveLength(2)
    expect(read('x-gitlab-event-uuid').size).toBe(1)
    expect(read('idempotency-key').size).toBe(2)
  })

  it('is made and seen by maintainers alone', async () => {
    expect((await call('GET', '', undefined, 'grace')).status).toBe(403)
    expect((await call('GET', '', undefined, 'mallory')).status).toBe(404)
    expect((await create({ url: undefined })).status).toBe(400)
    expect((await create({ url: 'ftp://127.0.0.1/' })).status).toBe(422)
    sandbox.gitlab.settings.allowsLocalHooks = false
    expect((await create()).status).toBe(422)
  })

  it('loses its token when the address changes without one', async () => {
    const { body } = await create()
    await call('PUT', `/${body.id}`, { url: `${receiver.url}?moved`, deployment_events: true })
    await deploy()
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-gitlab-token')
  })
})

describe('a signing token', () => {
  it('signs as the published library of Standard Webhooks verifies', async () => {
    const { body } = await create({ signing_token: signingToken })
    expect(body).toMatchObject({ signing_token_present: true })
    expect(JSON.stringify(body)).not.toContain(signingToken)
    await deploy()
    const { headers, raw } = receiver.received[0] ?? { headers: {}, raw: '' }
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    )
    expect(sent['webhook-id']).toBe(sent['idempotency-key'])
    const webhook = new Webhook(signingToken)
    expect(webhook.verify(raw, sent)).toMatchObject({ object_kind: 'deployment' })
    expect(() => webhook.verify(`${raw} `, sent)).toThrow('No matching signature found')
  })

  it('is ignored without a word where the instance does not know it', async () => {
    sandbox.gitlab.settings.hasSigningTokens = false
    const { status, body } = await create({ signing_token: signingToken })
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('signing_token_present')
    await deploy()
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-gitlab-token': 'secret' })
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  it('has to be the base64 of 32 bytes', async () => {
    expect((await create({ signing_token: 'whsec_short' })).status).toBe(400)
  })
})

describe('a hook that fails', () => {
  it('is off after four failures for a minute, then gets events again, and is off for longer', async () => {
    receiver.status = 503
    const { body } = await create()
    for (let count = 0; count < 5; count += 1) await deploy()
    expect(receiver.received).toHaveLength(4)
    const off = await call('GET', `/${body.id}`)
    expect(off.body).toMatchObject({
      alert_status: 'temporarily_disabled',
      disabled_until: expect.any(String),
    })
    sandbox.clock.advance(61_000)
    await deploy()
    expect(receiver.received).toHaveLength(5)
    sandbox.clock.advance(61_000)
    await deploy()
    expect(receiver.received).toHaveLength(5)
  })

  it('is on after a success', async () => {
    const { body } = await create()
    receiver.status = 500
    for (let count = 0; count < 3; count += 1) await deploy()
    receiver.status = 200
    await deploy()
    receiver.status = 500
    for (let count = 0; count < 3; count += 1) await deploy()
    expect((await call('GET', `/${body.id}`)).body).toMatchObject({ alert_status: 'executable' })
  })

  it('is off for good after forty failures, until a test succeeds', async () => {
    receiver.status = 410
    const { body } = await create()
    for (let count = 0; count < 40; count += 1) {
      await deploy()
      sandbox.clock.advance(25 * 60 * 60 * 1000)
    }
    expect((await call('GET', `/${body.id}`)).body).toMatchObject({ alert_status: 'disabled' })
    expect((await call('POST', `/${body.id}/test/deployment_events`)).status).toBe(422)
    receiver.status = 200
    expect((await call('POST', `/${body.id}/test/deployment_events`)).status).toBe(201)
    expect((await call('GET', `/${body.id}`)).body).toMatchObject({ alert_status: 'executable' })
  })

  it('stays on where the instance does not switch hooks off', async () => {
    sandbox.gitlab.settings.disablesFailingHooks = false
    await create()
    receiver.status = 500
    for (let count = 0; count < 6; count += 1) await deploy()
    expect(receiver.received).toHaveLength(6)
  })
})

describe('the events of a hook', () => {
  it('show what was sent and answered, newest first, without the secret', async () => {
    const { body } = await create()
    await deploy()
    receiver.status = 500
    await deploy()
    const events = await call('GET', `/${body.id}/events`)
    expect(events.body).toMatchObject([
      { trigger: 'deployment_hooks', response_status: '500' },
      { response_status: '202', request_data: { object_kind: 'deployment' } },
    ])
    expect(JSON.stringify(events.body)).not.toContain('secret')
    const failed = await call('GET', `/${body.id}/events?status=server_failure`)
    expect(failed.body).toHaveLength(1)
  })

  it('are sent again under the same id', async () => {
    const { body } = await create()
    await deploy()
    const [event] = (await call('GET', `/${body.id}/events`)).body
    const again = await call('POST', `/${body.id}/events/${event.id}/resend`)
    await sandbox.gitlab.hooks.settled()
    expect(again.status).toBe(201)
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(receiver.received).toHaveLength(2)
  })

  it('do not have what was dropped above the limit of a namespace', async () => {
    const { body } = await create()
    sandbox.gitlab.hooks.faults.loseNext(1)
    await deploy()
    expect(receiver.received).toEqual([])
    expect((await call('GET', `/${body.id}/events`)).body).toEqual([])
  })

  it('arrive in another order, and twice', async () => {
    await create()
    const { faults } = sandbox.gitlab.hooks
    faults.hold()
    const deployment = await deploy()
    sandbox.gitlab.activity.setDeploymentStatus(shop.project, deployment, 'success')
    faults.repeatNext(1)
    await faults.release([1, 0])
    expect(receiver.received.map(({ body }) => body['status'])).toEqual([
      'success',
      'success',
      'running',
    ])
  })
})
