import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import type { GithubRepository } from '../state.ts'
import { createGithubClient } from '../testing/github-client.ts'

const callback = 'http://127.0.0.1:4400/callback'
const path = '/apps/signalbox-sandbox/installations/new'
const sandbox = await openSandbox()
const client = createGithubClient(sandbox)
let shop: GithubRepository
let mine: GithubRepository

beforeEach(() => {
  const registration = { callbackUrls: [callback], setupUrl: undefined }
  Object.assign(sandbox.github.app, registration, {
    requestsUserOnInstall: true,
    redirectsOnUpdate: false,
  })
  shop = addRepository('acme', 'shop')
  mine = addRepository('ada', 'mine')
})

function addRepository(login: string, name: string): GithubRepository {
  const owner = sandbox.github.state.accounts.get(login)
  if (owner === undefined) throw new Error(`There is no ${login}.`)
  return sandbox.github.activity.addRepository({ owner, name })
}

const installed = () => [...sandbox.github.state.installations.values()]

const install = async (fields: Readonly<Record<string, string>>) => {
  const response = await client.submit(path, { account: 'acme', state: 'opaque', ...fields })
  const location = response.headers.get('location')
  return { status: response.status, to: location === null ? undefined : new URL(location) }
}

describe('the page that installs an app', () => {
  it('offers accounts and repositories, and keeps the state', async () => {
    const page = await (await client.open(`${path}?state=opaque`)).text()
    for (const part of ['acme/shop', 'ada/mine', '<option>acme', 'value="opaque"']) {
      expect(page).toContain(part)
    }
  })

  it('is where the address of the app leads', async () => {
    const response = await client.open('/apps/signalbox-sandbox')
    expect(response.headers.get('location')).toBe(`${sandbox.addresses.githubWeb}${path}`)
  })

  it('is not found for an app that is not there', async () => {
    expect((await client.open('/apps/nothing/installations/new')).status).toBe(404)
  })

  it('leads to the callback with a code of the user who installed it', async () => {
    const { to } = await install({ repository_selection: 'all' })
    const [installation] = installed()
    expect(to?.href.startsWith(`${callback}?`)).toBe(true)
    expect(Object.fromEntries(to?.searchParams ?? [])).toEqual({
      code: expect.any(String),
      installation_id: String(installation?.id),
      setup_action: 'install',
      state: 'opaque',
    })
    const { clientId, clientSecret } = sandbox.github.app
    const exchanged = await client.submit('/login/oauth/access_token', {
      client_id: clientId,
      client_secret: clientSecret,
      code: to?.searchParams.get('code') ?? '',
    })
    const token = new URLSearchParams(await exchanged.text()).get('access_token') ?? ''
    expect((await client.api('GET /user/installations', { token })).body).toMatchObject({
      installations: [{ id: installation?.id, account: { login: 'acme' } }],
    })
  })

  it('gives the repositories that were chosen alone', async () => {
    await install({ repository_selection: 'selected', repository: String(shop.id) })
    expect(installed()).toMatchObject([{ repositories: new Set([shop.id]) }])
  })

  it('refuses what belongs to another account, and what is no account', async () => {
    const fields = { repository_selection: 'selected', repository: String(mine.id) }
    expect((await install(fields)).status).toBe(422)
    expect((await install({ account: 'nobody' })).status).toBe(404)
    expect((await install({ account: 'signalbox-sandbox[bot]' })).status).toBe(404)
    expect(installed()).toEqual([])
  })

  it('leads to the setup URL, without a code, when the app does not ask for the user', async () => {
    sandbox.github.app.requestsUserOnInstall = false
    sandbox.github.app.setupUrl = 'http://127.0.0.1:4400/setup'
    const { to } = await install({})
    expect(to?.pathname).toBe('/setup')
    expect([...(to?.searchParams.keys() ?? [])]).toEqual([
      'installation_id',
      'setup_action',
      'state',
    ])
  })

  it('stays at GitHub when the app names no address', async () => {
    sandbox.github.app.callbackUrls = []
    expect(await install({})).toEqual({ status: 200, to: undefined })
    expect(installed()).toHaveLength(1)
  })

  it('changes an installation that is there, and leads on only if the app wants that', async () => {
    await install({})
    expect((await install({ repository_selection: 'all' })).to).toBeUndefined()
    sandbox.github.app.redirectsOnUpdate = true
    const { to } = await install({
      repository_selection: 'selected',
      repository: String(shop.id),
    })
    expect(to?.searchParams.get('setup_action')).toBe('update')
    expect(installed()).toMatchObject([{ repositories: new Set([shop.id]) }])
  })
})

describe('the settings of an installation', () => {
  const decide = async (decision: string) => {
    const [installation] = installed()
    const address = `/settings/installations/${installation?.id}`
    return (await client.submit(address, { decision })).status
  }

  it('suspend it, let it go on, and uninstall it', async () => {
    sandbox.github.install({ account: 'acme' })
    await decide('suspend')
    expect(installed()).toMatchObject([{ suspendedAt: expect.any(Date) }])
    await decide('unsuspend')
    expect(installed()).toMatchObject([{ suspendedAt: undefined }])
    await decide('uninstall')
    expect(installed()).toEqual([])
  })

  it('end the tokens of the user whose authorization is revoked, and not the installation', async () => {
    const { app, tokens } = sandbox.github
    sandbox.github.install({ account: 'acme' })
    const { accessToken: token } = tokens.ofUsers.issue({ appId: app.id, login: 'ada' })
    await decide('revoke')
    expect((await client.api('GET /user', { token })).status).toBe(401)
    expect(installed()).toHaveLength(1)
  })

  it('know no other choice and no other installation', async () => {
    const { id } = sandbox.github.install({ account: 'acme' })
    expect((await client.open(`/settings/installations/${id}`)).status).toBe(200)
    expect(await decide('sell')).toBe(422)
    expect((await client.open('/settings/installations/1')).status).toBe(404)
  })
})
