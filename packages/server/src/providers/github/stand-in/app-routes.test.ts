import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { createApp, createAppCredentials } from './create-app.ts'
import type { GithubApp, GithubInstallation, GithubRepository } from './state.ts'
import { createGithubClient } from './testing/github-client.ts'
import { signAppJwt } from './testing/sign-app-jwt.ts'

const sandbox = await openSandbox()
const client = createGithubClient(sandbox)
let installation: GithubInstallation
let [shop, blog]: GithubRepository[] = []

beforeEach(() => {
  shop = addRepository('acme', 'shop')
  blog = addRepository('acme', 'blog')
  installation = sandbox.github.install({ account: 'acme' })
})

function addRepository(login: string, name: string, isPrivate = true): GithubRepository {
  const owner = sandbox.github.state.accounts.get(login)
  if (owner === undefined) throw new Error(`There is no ${login}.`)
  return sandbox.github.activity.addRepository({ owner, name, private: isPrivate })
}

function addApp(): GithubApp {
  const { app, state } = sandbox.github
  return createApp(state, { ...app, name: 'Another app' }, createAppCredentials())
}

const asApp = (request: string, body?: unknown) =>
  client.api(request, { token: client.jwt(), ...(body !== undefined && { body }) })

const tokenRoute = () => `POST /app/installations/${installation.id}/access_tokens`

describe('the token that an app signs for itself', () => {
  const rejectionOf = async (claims: Readonly<Record<string, unknown>>) =>
    client.api('GET /app', { token: client.jwt(sandbox.github.app, claims) })
  const seconds = () => Math.floor(sandbox.clock.now().getTime() / 1000)

  it('names the app by its id or its client id', async () => {
    const { id, clientId, slug } = sandbox.github.app
    for (const iss of [id, String(id), clientId]) {
      expect(await rejectionOf({ iss })).toMatchObject({ status: 200, body: { id, slug } })
    }
  })

  it('may be signed by any implementation', async () => {
    const { clientId, privateKey } = sandbox.github.app
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(clientId)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(createPrivateKey(privateKey))
    expect((await client.api('GET /app', { token })).status).toBe(200)
  })

  it('is refused when it expires later than in ten minutes', async () => {
    expect(await rejectionOf({ exp: seconds() + 700 })).toMatchObject({
      status: 401,
      body: { message: "'Expiration time' claim ('exp') is too far in the future" },
    })
  })

  it('is refused when it has expired', async () => {
    const token = client.jwt()
    sandbox.clock.advance(600_000)
    expect(await client.api('GET /app', { token })).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining("claim ('exp') must be") },
    })
  })

  it.each([{ iat: 9_999_999_999 }, { iat: 'now' }])('is refused with %o', async (claims) => {
    expect(await rejectionOf(claims)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining("'Issued at' claim") },
    })
  })

  it('is refused for an app that is not there', async () => {
    expect(await rejectionOf({ iss: '1' })).toMatchObject({
      status: 404,
      body: { message: 'Integration not found' },
    })
  })

  it('is refused with the signature of another app', async () => {
    const { privateKey } = addApp()
    const token = client.jwt({ ...sandbox.github.app, privateKey })
    expect(await client.api('GET /app', { token })).toMatchObject({
      status: 401,
      body: { message: 'A JSON web token could not be decoded' },
    })
  })

  it('is refused without a signature, whatever algorithm it names', async () => {
    const [, payload = ''] = client.jwt().split('.')
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    expect((await client.api('GET /app', { token: `${header}.${payload}.` })).status).toBe(401)
  })

  it('is refused when it names another algorithm', async () => {
    const token = signAppJwt(sandbox.github.app, sandbox.clock.now(), {}, 'RS512')
    expect((await client.api('GET /app', { token })).status).toBe(401)
  })

  it('is the only one that speaks for the app', async () => {
    const token = await client.installationToken(installation)
    for (const headers of [{ authorization: `Bearer ${token}` }, {}]) {
      expect((await client.api('GET /app', { headers })).status).toBe(401)
    }
  })

  it('reaches no repository', async () => {
    expect(await asApp('GET /repos/acme/shop')).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    })
  })
})

describe('an app', () => {
  it('sees itself and how often it is installed', async () => {
    expect((await asApp('GET /app')).body).toMatchObject({
      slug: 'signalbox-sandbox',
      client_id: sandbox.github.app.clientId,
      owner: { login: 'ada' },
      installations_count: 1,
    })
  })

  it('does not find the installations of another app', async () => {
    const token = client.jwt(addApp())
    const path = `/app/installations/${installation.id}`
    for (const request of [`GET ${path}`, `DELETE ${path}`, tokenRoute()]) {
      expect((await client.api(request, { token })).status).toBe(404)
    }
  })
})

describe('an installation token', () => {
  const repositories = (token: string) => client.api('GET /installation/repositories', { token })

  it('is long, lasts an hour and reaches what was installed', async () => {
    const { status, body } = await asApp(tokenRoute())
    expect(status).toBe(201)
    expect(body).toMatchObject({
      token: expect.stringMatching(/^ghs_.{200,}$/),
      repository_selection: 'all',
      permissions: { deployments: 'write', metadata: 'read' },
    })
    const { token, expires_at: expiresAt } = body as { token: string; expires_at: string }
    expect(Date.parse(expiresAt) - sandbox.clock.now().getTime()).toBeGreaterThan(3_590_000)
    expect(await repositories(token)).toMatchObject({
      status: 200,
      body: { total_count: 2, repositories: [{ name: 'shop' }, { name: 'blog' }] },
    })
    sandbox.clock.advance(3_600_000)
    expect(await repositories(token)).toMatchObject({
      status: 401,
      body: { message: 'Bad credentials' },
    })
  })

  it('is for fewer repositories when they are named, by id or by name', async () => {
    for (const body of [{ repository_ids: [blog?.id] }, { repositories: ['blog'] }]) {
      const answer = await asApp(tokenRoute(), body)
      expect(answer).toMatchObject({
        status: 201,
        body: { repository_selection: 'selected', repositories: [{ name: 'blog' }] },
      })
      const { token } = answer.body as { token: string }
      expect((await repositories(token)).body).toMatchObject({ total_count: 1 })
      expect((await client.api('GET /repos/acme/blog', { token })).status).toBe(200)
      expect((await client.api('GET /repos/acme/shop', { token })).status).toBe(404)
    }
  })

  it('may do less when that is asked for, and always reads metadata', async () => {
    const answer = await asApp(tokenRoute(), { permissions: { deployments: 'read' } })
    expect(answer.body).toMatchObject({ permissions: { deployments: 'read', metadata: 'read' } })
    const { token } = answer.body as { token: string }
    expect((await client.api('GET /repos/acme/shop/deployments', { token })).status).toBe(200)
    for (const request of [
      'GET /repos/acme/shop/compare/main...main',
      'GET /repos/acme/shop/commits/main',
    ]) {
      expect(await client.api(request, { token })).toMatchObject({
        status: 403,
        body: { message: 'Resource not accessible by integration' },
      })
    }
  })

  it.each([{ administration: 'write' }, { metadata: 'write' }, { unheard_of: 'read' }])(
    'is refused for permissions that were not given: %o',
    async (permissions) => {
      expect(await asApp(tokenRoute(), { permissions })).toMatchObject({
        status: 422,
        body: { message: 'The permissions requested are not granted to this installation.' },
      })
    },
  )

  it('is refused for repositories that were not given', async () => {
    sandbox.github.install({ account: 'acme', repositories: ['blog'] })
    for (const body of [{ repository_ids: [shop?.id, blog?.id] }, { repositories: ['nothing'] }]) {
      expect(await asApp(tokenRoute(), body)).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('not accessible to the parent installation') },
      })
    }
  })

  it('loses a repository at once that is taken out of the installation', async () => {
    const token = await client.installationToken(installation)
    sandbox.github.install({ account: 'acme', repositories: ['blog'] })
    expect((await client.api('GET /repos/acme/shop', { token })).status).toBe(404)
    expect((await client.api('GET /repos/acme/blog', { token })).status).toBe(200)
  })

  it('reads a public repository that it was not given, and does not write to it', async () => {
    addRepository('grace', 'open', false)
    const token = await client.installationToken(installation)
    expect((await client.api('GET /repos/grace/open/deployments', { token })).status).toBe(200)
    const path = '/repos/grace/open/actions/workflows/e2e.yml/dispatches'
    const write = await client.api(`POST ${path}`, { token, body: {} })
    expect(write.status).toBe(403)
  })

  it('ends itself', async () => {
    const token = await client.installationToken(installation)
    expect((await client.api('DELETE /installation/token', { token })).status).toBe(204)
    expect((await repositories(token)).status).toBe(401)
  })

  it('speaks for no user', async () => {
    const token = await client.installationToken(installation)
    expect((await client.api('GET /user', { token })).status).toBe(403)
    expect(await client.api('GET /user/installations', { token })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('in order to list installations') },
    })
  })

  it('is the only one that lists its repositories', async () => {
    expect((await repositories(client.jwt())).status).toBe(403)
    expect((await repositories('unknown')).status).toBe(401)
    expect((await client.api('GET /installation/repositories')).body).toMatchObject({
      message: 'Requires authentication',
    })
  })
})

describe('a suspended installation', () => {
  it('gets no token, and its tokens do nothing until it goes on', async () => {
    const token = await client.installationToken(installation)
    const read = () => client.api('GET /repos/acme/shop', { token })
    sandbox.github.installations.suspend(installation)
    const refused = { status: 403, body: { message: 'This installation has been suspended' } }
    expect(await read()).toMatchObject(refused)
    expect(await asApp(tokenRoute())).toMatchObject(refused)
    expect((await asApp(`GET /app/installations/${installation.id}`)).body).toMatchObject({
      suspended_at: expect.any(String),
    })
    sandbox.github.installations.unsuspend(installation)
    expect((await read()).status).toBe(200)
  })
})

describe('uninstalling', () => {
  it('ends the tokens of the installation', async () => {
    const token = await client.installationToken(installation)
    const path = `/app/installations/${installation.id}`
    expect((await asApp(`DELETE ${path}`)).status).toBe(204)
    expect((await client.api('GET /repos/acme/shop', { token })).status).toBe(401)
    expect((await asApp(`GET ${path}`)).status).toBe(404)
    expect((await asApp(tokenRoute())).status).toBe(404)
  })

  it('is said to go on in the background by the newer version', async () => {
    const answer = await client.api(`DELETE /app/installations/${installation.id}`, {
      token: client.jwt(),
      headers: { 'x-github-api-version': '2026-03-10' },
    })
    expect(answer.status).toBe(202)
  })
})
