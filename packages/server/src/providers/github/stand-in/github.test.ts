import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../../../sandbox/src/sandbox.ts'
import { startSandbox } from '../../../../../sandbox/src/start-sandbox.ts'
import { createGithubClient, type GithubClient } from './testing/github-client.ts'
import { startReceiver } from './testing/receiver.ts'

let sandbox: Sandbox
let client: GithubClient

beforeEach(async () => {
  sandbox = await startSandbox()
  client = createGithubClient(sandbox)
})
afterEach(() => sandbox.close())

describe('a reset of GitHub', () => {
  it('keeps the registration of the app, and nothing else', async () => {
    const { app, tokens } = sandbox.github
    const credentials = [app.id, app.clientId, app.clientSecret, app.webhookSecret, app.privateKey]
    const jwt = client.jwt()
    app.webhookUrl = 'http://127.0.0.1:4400/hooks'
    app.callbackUrls = ['http://127.0.0.1:4400/callback']
    sandbox.github.install({ account: 'acme' })
    const { accessToken: token } = tokens.ofUsers.issue({ appId: app.id, login: 'ada' })
    sandbox.reset()
    const { app: after } = sandbox.github
    expect([
      after.id,
      after.clientId,
      after.clientSecret,
      after.webhookSecret,
      after.privateKey,
    ]).toEqual(credentials)
    expect([after.webhookUrl, after.callbackUrls]).toEqual([
      'http://127.0.0.1:4400/hooks',
      ['http://127.0.0.1:4400/callback'],
    ])
    expect((await client.api('GET /app', { token: jwt })).body).toMatchObject({
      installations_count: 0,
    })
    expect((await client.api('GET /user', { token })).status).toBe(401)
  })

  it('lists nothing that was under way', async () => {
    const receiver = await startReceiver()
    receiver.status = undefined
    sandbox.github.app.webhookUrl = receiver.url
    sandbox.github.install({ account: 'acme' })
    await expect.poll(() => receiver.received.length).toBe(1)
    sandbox.reset()
    await receiver.close()
    await sandbox.github.hooks.settled()
    const { body } = await client.api('GET /app/hook/deliveries', { token: client.jwt() })
    expect(body).toEqual([])
  })
})

describe('install', () => {
  it('refuses accounts and repositories that are not there', () => {
    expect(() => sandbox.github.install({ account: 'nobody' })).toThrow(RangeError)
    const on = { account: 'acme', repositories: ['nothing'] }
    expect(() => sandbox.github.install(on)).toThrow(RangeError)
  })
})

describe('two sandboxes', () => {
  it('do not know each other’s secrets', async () => {
    const other = await startSandbox()
    try {
      const [one, two] = [sandbox.github.app, other.github.app]
      expect(one.clientSecret).not.toBe(two.clientSecret)
      expect(one.webhookSecret).not.toBe(two.webhookSecret)
      const installation = other.github.install({ account: 'acme' })
      const token = await createGithubClient(other).installationToken(installation)
      expect((await client.api('GET /installation/repositories', { token })).status).toBe(401)
    } finally {
      await other.close()
    }
  })
})
