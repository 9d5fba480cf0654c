import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LinearClient, LinearErrorType } from '@linear/sdk'
import { LinearWebhookClient } from '@linear/sdk/webhooks'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { visit } from '../../../../../sandbox/src/visit.ts'

const redirectUri = 'http://127.0.0.1:4400/callback'
const sandbox = await openSandbox()
sandbox.linear.app.redirectUris = [redirectUri]

async function connect() {
  const { addresses, linear } = sandbox
  const { clientId, clientSecret } = linear.app
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code' }
  const search = new URLSearchParams({ ...query, scope: 'read', actor: 'app' }).toString()
  const back = await visit(`${addresses.linearWeb}/oauth/authorize?${search}`, 'allow', redirectUri)
  const answer = await fetch(`${addresses.linearApi}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.get('code') ?? '',
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })
  const accessToken = String(Reflect.get(Object(await answer.json()), 'access_token'))
  // Sends a request once, whatever is answered (`providers/testing/repeating-clients.test.ts`).
  return new LinearClient({ accessToken, apiUrl: `${addresses.linearApi}/graphql` })
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('Linear’s own client', () => {
  it('reads issues and teams', async () => {
    const { client } = await connect()
    const query = `query ($filter: IssueFilter) { issues(filter: $filter) { nodes { identifier } } }`
    const filter = { team: { key: { eq: 'ABC' } }, number: { in: [1, 3] } }
    expect(await client.request(query, { filter })).toEqual({
      issues: { nodes: [{ identifier: 'ABC-3' }, { identifier: 'ABC-1' }] },
    })
    expect(await client.request('{ viewer { app } organization { urlKey } }')).toEqual({
      viewer: { app: true },
      organization: { urlKey: 'acme' },
    })
  })

  it('knows each refusal by its type', async () => {
    const linear = await connect()
    const { client } = linear
    const one = 'query ($id: String!) { issue(id: $id) { id } }'
    expect(await failureOf(client.request(one, { id: 'ABC-99' }))).toMatchObject({
      response: {
        status: 200,
        errors: [{ extensions: { type: 'invalid input', code: 'INPUT_ERROR' } }],
      },
    })
    const many = (first: number) => client.request(`{ issues(first: ${first}) { nodes { id } } }`)
    expect(await failureOf(many(251))).toMatchObject({
      response: { errors: [{ message: 'first must be 1 to 250' }] },
    })
    expect(await failureOf(many(250))).toBeUndefined()
    const both = '{ a: issue(id: "ABC-1") { id } b: issue(id: "ABC-99") { id } }'
    // One that is not there takes the others with it.
    expect(await failureOf(client.request(both))).toMatchObject({
      response: { status: 200, data: null, errors: [{ path: ['b'] }] },
    })
    sandbox.linear.spend('requests', 30_000)
    expect(await failureOf(linear.viewer)).toMatchObject({
      status: 400,
      type: LinearErrorType.Ratelimited,
      requestsRemaining: 0,
      requestsResetAt: expect.any(Number),
    })
    sandbox.clock.advance(31_000)
    sandbox.linear.expireTokens()
    expect(await failureOf(linear.viewer)).toMatchObject({
      status: 401,
      type: LinearErrorType.AuthenticationError,
    })
  })
})

describe('Linear’s own check of webhooks', () => {
  it('control: refuses what is older than a minute, as each retry with the first timestamp is', () => {
    const client = new LinearWebhookClient('secret')
    const sentBefore = (ms: number) => {
      const body = Buffer.from(JSON.stringify({ webhookTimestamp: Date.now() - ms }))
      const signature = createHmac('sha256', 'secret').update(body).digest('hex')
      return () => client.verify(body, signature)
    }
    expect(sentBefore(0)()).toBe(true)
    for (const retryMs of [90_000, 3_600_000]) {
      expect(sentBefore(retryMs)).toThrow('Invalid webhook timestamp')
    }
  })

  it('takes what is sent, and refuses another secret', async () => {
    const handled: unknown[] = []
    const { linear } = sandbox
    const handle = new LinearWebhookClient(linear.app.webhookSecret).createHandler()
    handle.on('OAuthApp', (payload) => void handled.push(payload))
    handle.on('Issue', (payload) => void handled.push(payload))
    const refuse = new LinearWebhookClient('another').createHandler()
    const { promise, resolve } = Promise.withResolvers<number>()
    const server = createServer((request, response) => {
      response.on('finish', () => resolve(response.statusCode))
      void (request.url === '/good' ? handle : refuse)(request, response)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    try {
      linear.app.webhookUrl = `http://127.0.0.1:${port}/good`
      linear.removeApp()
      expect(await promise).toBe(200)
      expect(handled).toMatchObject([
        { type: 'OAuthApp', action: 'revoked', oauthClientId: linear.app.clientId },
      ])
      const next = () => {
        const sent = Promise.withResolvers<number>()
        server.once('request', (_, response) => {
          response.on('finish', () => sent.resolve(response.statusCode))
        })
        return sent.promise
      }
      const edited = next()
      linear.editIssue('ABC-2', { title: 'Show it' })
      expect(await edited).toBe(200)
      expect(handled.slice(1)).toMatchObject([
        {
          type: 'Issue',
          action: 'update',
          data: { identifier: 'ABC-2', title: 'Show it' },
          updatedFrom: { title: 'Show the delivery date' },
        },
      ])
      const refused = next()
      linear.app.webhookUrl = `http://127.0.0.1:${port}/bad`
      linear.removeApp()
      expect(await refused).toBe(400)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
