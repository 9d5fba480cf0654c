import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { createApp, createAppCredentials } from './create-app.ts'
import type { GithubAccount, GithubApp, GithubInstallation } from './state.ts'
import { createGithubClient } from './testing/github-client.ts'

const sandbox = await openSandbox()
const client = createGithubClient(sandbox)
let onAcme: GithubInstallation

beforeEach(() => {
  for (const name of ['shop', 'blog']) {
    sandbox.github.activity.addRepository({ owner: account('acme'), name })
  }
  onAcme = sandbox.github.install({ account: 'acme', repositories: ['shop'] })
})

function account(login: string): GithubAccount {
  const found = sandbox.github.state.accounts.get(login)
  if (found === undefined) throw new Error(`There is no ${login}.`)
  return found
}

const tokenOf = (login: string, app: GithubApp = sandbox.github.app) =>
  sandbox.github.tokens.ofUsers.issue({ appId: app.id, login }).accessToken

const asUser = (login: string, request: string) => client.api(request, { token: tokenOf(login) })

describe("a user's token", () => {
  it('shows the installations of the user and of their organizations, and nobody else’s', async () => {
    const onGrace = sandbox.github.install({ account: 'grace' })
    expect((await asUser('ada', 'GET /user/installations')).body).toMatchObject({
      total_count: 1,
      installations: [{ id: onAcme.id, repository_selection: 'selected' }],
    })
    expect((await asUser('grace', 'GET /user/installations')).body).toMatchObject({
      installations: [{ id: onGrace.id }],
    })
  })

  it('does not show the installations of another app', async () => {
    const { app, state } = sandbox.github
    const other = createApp(state, { ...app, name: 'Another app' }, createAppCredentials())
    const token = tokenOf('ada', other)
    expect((await client.api('GET /user/installations', { token })).body).toMatchObject({
      total_count: 0,
    })
  })

  it('reaches what both the user and the app reach', async () => {
    expect((await asUser('ada', 'GET /repos/acme/shop')).status).toBe(200)
    expect((await asUser('ada', 'GET /repos/acme/blog')).status).toBe(404)
    expect((await asUser('grace', 'GET /repos/acme/shop')).status).toBe(404)
    sandbox.github.installations.suspend(onAcme)
    expect((await asUser('ada', 'GET /repos/acme/shop')).status).toBe(404)
  })

  it('shows nothing of the address of its user', async () => {
    expect((await asUser('ada', 'GET /user')).body).toMatchObject({ login: 'ada', email: null })
  })
})

describe('the app that was given a token', () => {
  const basic = (secret = sandbox.github.app.clientSecret) => {
    const encoded = Buffer.from(`${sandbox.github.app.clientId}:${secret}`).toString('base64')
    return { authorization: `Basic ${encoded}` }
  }
  const ask = (request: string, token: string, headers: Record<string, string> = basic()) => {
    const [method = '', below = ''] = request.split(' ')
    const path = `/applications/${sandbox.github.app.clientId}/${below}`
    return client.api(`${method} ${path}`, { headers, body: { access_token: token } })
  }
  const works = async (token: string) => (await client.api('GET /user', { token })).status === 200

  it('ends it alone', async () => {
    const [token, other] = [tokenOf('ada'), tokenOf('ada')]
    expect((await ask('DELETE token', token)).status).toBe(204)
    expect([await works(token), await works(other)]).toEqual([false, true])
    expect((await ask('DELETE token', token)).status).toBe(422)
  })

  it('is refused with a wrong secret, and with none', async () => {
    const token = tokenOf('ada')
    expect((await ask('DELETE token', token, basic('wrong'))).status).toBe(404)
    expect((await ask('DELETE token', token, {})).status).toBe(401)
    expect(await works(token)).toBe(true)
  })

  it('is refused for the token of another app', async () => {
    const { app, state } = sandbox.github
    const other = createApp(state, { ...app, name: 'Another app' }, createAppCredentials())
    const token = tokenOf('ada', other)
    expect((await ask('DELETE token', token)).status).toBe(422)
    expect(await works(token)).toBe(true)
  })

  it('is refused without a token', async () => {
    const { clientId } = sandbox.github.app
    const path = `/applications/${clientId}/token`
    const answer = await client.api(`DELETE ${path}`, { headers: basic(), body: {} })
    expect(answer.status).toBe(422)
  })
})
