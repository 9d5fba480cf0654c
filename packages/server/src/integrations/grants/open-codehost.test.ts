import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnectors } from '../connect/connectors.ts'
import { createOpenCodehost, type OpenCodehost } from './open-provider.ts'
import { openInstalled, type Installed } from '../testing/open-installed.ts'

let app: Installed
let openCodehost: OpenCodehost
beforeAll(async () => {
  app = await openInstalled()
})
beforeEach(async () => {
  await app.reset()
  openCodehost = createOpenCodehost(app.deps)
})
afterAll(() => app.close())

const installation = () => {
  const found = app.sandbox.github.state.installations.get(Number(app.accountId))
  if (found === undefined) throw new Error('It is not installed')
  return found
}
const tokensMade = () =>
  app.sandbox.log.list().filter(({ path }) => path.endsWith('/access_tokens')).length

describe('createOpenCodehost', () => {
  it('reaches what the installation may see, with one token for all', async () => {
    const lists = await Promise.all(
      [1, 2, 3].map(async () => (await openCodehost(app.orgId)).listRepositories()),
    )
    expect(lists.map(({ items }) => items.map(({ fullName }) => fullName))).toEqual(
      Array.from({ length: 3 }, () => ['acme/shop']),
    )
    expect(tokensMade()).toBe(1)
  })

  it('makes other tokens once this server has another App', async () => {
    const context = app.deps.contextOf('github')
    let appId: string | undefined
    const application = () => {
      const registered = context.application()
      const changed = appId === undefined ? {} : { appId }
      return registered && { ...registered, values: { ...registered.values, ...changed } }
    }
    const contextOf = () => ({ ...context, application })
    const connectorOf = createConnectors(contextOf)
    const open = createOpenCodehost({ ...app.deps, contextOf, connectorOf })
    await (await open(app.orgId)).listRepositories()
    appId = '4711'
    await expect((await open(app.orgId)).listRepositories()).rejects.toMatchObject({
      failure: 'unauthorized',
    })
    expect(tokensMade()).toBe(2)
  })

  it('asks once more when a token has ended before its time', async () => {
    const api = await openCodehost(app.orgId)
    await api.listRepositories()
    app.sandbox.github.tokens.reset()
    expect((await api.listRepositories()).items).toHaveLength(1)
    expect(tokensMade()).toBe(2)
  })

  it.each([
    ['suspended', 'integration_not_connected'],
    ['disconnected', 'integration_not_connected'],
    ['pending', 'integration_not_connected'],
    ['reauth_required', 'reauth_required'],
  ])('refuses one that is %s, without a call', async (state, code) => {
    await app.test.asOwner('update integrations set state = $1', [state])
    await expect(openCodehost(app.orgId)).rejects.toMatchObject({ code })
    await expect(openCodehost('org_2')).rejects.toMatchObject({
      code: 'integration_not_connected',
    })
    expect(app.sandbox.log.list()).toEqual([])
  })

  it('refuses where this server has no App any more', async () => {
    const context = app.deps.contextOf('github')
    const contextOf = () => ({ ...context, application: () => undefined })
    const without = createOpenCodehost({ ...app.deps, contextOf })
    await expect(without(app.orgId)).rejects.toMatchObject({ code: 'integration_not_connected' })
  })

  it('learns from a refused token that the App was uninstalled, of which no webhook came', async () => {
    const api = await openCodehost(app.orgId)
    await api.listRepositories()
    app.sandbox.github.installations.uninstall(installation())
    await expect(api.listRepositories()).rejects.toMatchObject({
      failure: 'unauthorized',
      code: 'uninstalled',
    })
    expect(await app.read()).toMatchObject({
      state: 'reauth_required',
      audited: ['integration.reauth_required'],
    })
    expect(app.events).toEqual(['integration.attention'])
    await expect(openCodehost(app.orgId)).rejects.toMatchObject({ code: 'reauth_required' })
  })

  it('learns that the installation was suspended', async () => {
    app.sandbox.github.installations.suspend(installation())
    const api = await openCodehost(app.orgId)
    await expect(api.listRepositories()).rejects.toMatchObject({
      failure: 'forbidden',
      code: 'suspended',
    })
    expect(await app.read()).toMatchObject({ state: 'suspended' })
  })

  it('notes how calls go as the health of the integration', async () => {
    const fault = { kind: 'answer', status: 503 } as const
    app.sandbox.faults.add({ provider: 'github', request: 'GET /installation', fault })
    const api = await openCodehost(app.orgId)
    await expect(api.listRepositories()).rejects.toMatchObject({ failure: 'unavailable' })
    const health = async () =>
      (await app.test.asOwner('select last_error, last_ok_at from integrations'))[0]
    await expect.poll(health).toMatchObject({ last_error: { code: 'http_503' } })
    await api.listRepositories()
    await expect.poll(health).toMatchObject({ last_error: null, last_ok_at: expect.any(Date) })
  })
})
