import { randomBytes } from 'node:crypto'
import { visit } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemAuthor } from '../../audit/audit-event.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { recordAccessEvent } from '../health/record-access-event.ts'
import { presentIntegration } from '../present-integration.ts'
import { listIntegrationRows } from '../rows.ts'
import { openInstalled, type Installed } from '../testing/open-installed.ts'
import { createConnectors, type ConnectorOf } from './connectors.ts'
import { connectByForm, type ConnectByFormDeps } from './connect-by-form.ts'
import { authorizeIntegration } from './authorize-integration.ts'
import { disconnectIntegration } from './disconnect-integration.ts'
import { finishAuthorization } from './finish-authorization.ts'
import { revokeIntegration } from './revoke-integration.ts'

let app: Installed
let deps: ConnectByFormDeps
beforeAll(async () => {
  app = await openInstalled()
  const { now } = app.deps
  const { store } = app.test
  const rootKey = generateRootKey()
  await verifyRootKeys(app.test, [rootKey])
  const keys = createOrganizationKeys({ store, rootKeys: () => [rootKey], now })
  await store.transaction({ orgId: app.orgId }, (tx) => keys.create(tx, app.orgId))
  const more = { stateKey: randomBytes(32), publicUrl: () => 'https://signalbox.example' }
  await app.test.asOwner(
    `insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada')`,
  )
  deps = { ...app.deps, ...more, keys, holdAdmin: () => Promise.resolve(undefined) }
})
beforeEach(() => app.reset())
afterAll(() => app.close())

const caller = () => ({
  orgId: app.orgId,
  scope: { orgId: app.orgId },
  author: systemAuthor,
  organizationName: 'Acme',
  request: { requestId: 'req_1', ip: '127.0.0.1', userAgent: undefined },
})
const onlyGithubIssues: ConnectorOf = (kind, name = 'github-issues') =>
  name === 'github-issues' ? app.deps.connectorOf(kind, name) : undefined
const connect = async () => {
  const integrations = await connectByForm(deps, caller(), {
    kind: 'tracker',
    provider: 'github-issues',
    values: {},
    person: undefined,
  })
  return integrations.find(({ kind }) => kind === 'tracker')
}
const installation = () => {
  const found = app.sandbox.github.state.installations.get(Number(app.accountId))
  if (found === undefined) throw new Error('It is not installed')
  return found
}
const granted = (permissions: object) => Object.assign(installation(), { permissions })

describe('a provider that could share a connection', () => {
  const useAnotherHost = () =>
    app.test.asOwner(
      `update integrations set provider = 'gitlab', account_id = 'gitlab.example/7',
         account = '{"id": "gitlab.example/7", "name": "ada", "url": null}' where kind = 'codehost'`,
    )
  const rows = () =>
    deps.store.transaction({ orgId: app.orgId }, (tx) => listIntegrationRows(tx, app.orgId))
  const choiceNow = async () =>
    presentIntegration('tracker', undefined, onlyGithubIssues, await rows()).choices[0]
  /** Goes to GitHub and comes back, as Ada does. */
  const connectOnItsOwn = async () => {
    const begun = await authorizeIntegration(deps, person(), {
      kind: 'tracker',
      provider: 'github-issues',
      userId: 'usr_1',
      returnTo: undefined,
    })
    const callback = 'https://signalbox.example/integrations/codehost/oauth/callback'
    app.sandbox.github.app.callbackUrls = [callback]
    app.sandbox.github.app.redirectsOnUpdate = true
    const query = Object.fromEntries(await visit(begun.url, 'allow', callback, { account: 'acme' }))
    const member = { userId: 'usr_1', sessionId: 'ses_1', author: systemAuthor }
    const { request } = caller()
    const back = { query, cookie: begun.cookie, member, request }
    return finishAuthorization(deps, { kind: 'codehost', ...back })
  }
  const person = () => ({ ...caller(), scope: { orgId: app.orgId, userId: 'usr_1' } })

  it('asks for access of its own where the code host is another one, and says so', async () => {
    expect(await choiceNow()).toMatchObject({
      form: { fields: [] },
      needs: null,
      note: expect.stringContaining('Nothing else has to be granted.'),
    })
    await useAnotherHost()
    expect(await choiceNow()).toMatchObject({
      form: null,
      needs: null,
      note: expect.stringContaining('Only keys that name their repository count'),
    })
    await expect(connect()).rejects.toMatchObject({
      message: expect.stringContaining('GitHub Issues is connected in a browser.'),
    })
    expect(await connectOnItsOwn()).toMatchObject({ outcome: 'connected', kind: 'tracker' })
    expect((await rows()).find(({ kind }) => kind === 'tracker')).toMatchObject({
      provider: 'github-issues',
      state: 'connected',
      isShared: false,
      account: { id: app.accountId },
    })
  })

  it('shows that the access is not renewed which it shares', async () => {
    const tracker = async () => (await rows()).find(({ kind }) => kind === 'tracker')
    await connect()
    expect(await tracker()).toMatchObject({ isShared: true, renewalRetryAt: null })
    const retryAt = new Date('2026-11-29T10:15:00.000Z')
    await app.test.asOwner(
      `insert into integration_credentials (org_id, integration_id, generation, sealed, updated_at, rejections, retry_at)
       select org_id, id, 1, '', now(), 1, $1 from integrations where kind = 'codehost'`,
      [retryAt],
    )
    expect(presentIntegration('tracker', await tracker(), onlyGithubIssues, [])).toMatchObject({
      state: 'renewal_refused',
      stateReason: 'GitHub Issues refuses to renew Signalbox’s access.',
      retryAt: retryAt.toISOString(),
      nextStep: expect.stringContaining('at 10:15 UTC'),
    })
  })

  it('is not connected in a browser where the connection is shared', async () => {
    await expect(connectOnItsOwn()).rejects.toMatchObject({ code: 'invalid_query' })
  })

  it('outlives the code host, and asks for its own access to be revoked', async () => {
    await useAnotherHost()
    await connectOnItsOwn()
    await disconnectIntegration(deps, caller(), { kind: 'codehost' })
    expect(await app.read('tracker')).toMatchObject({ state: 'connected' })
    await disconnectIntegration(deps, caller(), { kind: 'tracker' })
    expect(await app.read('tracker')).toMatchObject({
      state: 'disconnected',
      revocation: { state: 'pending' },
    })
    const integrationId = (await rows()).find(({ kind }) => kind === 'tracker')?.id ?? ''
    await revokeIntegration(deps, { orgId: app.orgId, integrationId })
    expect(app.sandbox.github.state.installations.size).toBe(0)
  })

  it('keeps an installation that another integration uses', async () => {
    await useAnotherHost()
    await connectOnItsOwn()
    const integrationId = (await rows()).find(({ kind }) => kind === 'tracker')?.id ?? ''
    await disconnectIntegration(deps, caller(), { kind: 'tracker' })
    await app.test.asOwner(
      `update integrations set provider = 'github', account_id = $1 , account = json_build_object('id', $1::text, 'name', 'acme', 'url', null)
       where kind = 'codehost'`,
      [app.accountId],
    )
    await revokeIntegration(deps, { orgId: app.orgId, integrationId })
    expect(app.sandbox.github.state.installations.size).toBe(1)
  })

  it('names what ends with the connection that it shares', async () => {
    await connect()
    const all = await rows()
    const shownOf = (kind: 'codehost' | 'tracker') => {
      const integration = all.find((each) => each.kind === kind)
      return presentIntegration(kind, integration, deps.connectorOf, all)
    }
    expect(shownOf('codehost')).toMatchObject({ usedBy: 'GitHub Issues', connectionOf: null })
    expect(shownOf('tracker')).toMatchObject({ usedBy: null, connectionOf: 'GitHub' })
  })
})

describe('a connection whose provider does not say what an account may do', () => {
  const gitlabOf = () =>
    createConnectors(() => ({
      ...app.deps.contextOf('github'),
      addresses: { web: app.sandbox.addresses.gitlab },
      application: () => ({ values: { clientId: 'a', clientSecret: 'b' }, webhookSecrets: [] }),
    }))
  const use = async (scopes: readonly string[]) => {
    await app.test.asOwner(
      `update integrations set provider = 'gitlab', scopes = $1 where kind = 'codehost'`,
      [scopes],
    )
    const reached = { ...deps, connectorOf: gitlabOf() }
    const request = {
      kind: 'tracker',
      provider: 'gitlab-issues',
      values: {},
      person: undefined,
    } as const
    return (await connectByForm(reached, caller(), request)).find(({ kind }) => kind === 'tracker')
  }

  it('allows what the scopes of its grant say', async () => {
    expect(await use(['read_api'])).toMatchObject({ state: 'connected', scopes: ['read_api'] })
    expect(await use([])).toMatchObject({
      state: 'degraded',
      stateReason: 'Missing permissions: read_api.',
    })
  })
})

describe('a connection that is shared', () => {
  it('takes no consent and no grant, only the one that is there', async () => {
    expect(await connect()).toMatchObject({
      provider: 'github-issues',
      state: 'connected',
      account: { id: app.accountId },
    })
  })

  it('says which permission is missing, and works once it is granted', async () => {
    granted({ metadata: 'read' })
    expect(await connect()).toMatchObject({
      state: 'degraded',
      stateReason: 'Missing permissions: issues:read.',
    })
    granted({ metadata: 'read', issues: 'read' })
    const { orgId, integrationId, accountId } = app
    const event = { type: 'access', change: 'permissions', accountId } as const
    await recordAccessEvent(deps, { orgId, integrationId }, event)
    expect(await app.read('tracker')).toMatchObject({ state: 'connected' })
  })

  it('ends with the one that it shares', async () => {
    await connect()
    await disconnectIntegration(deps, caller(), { kind: 'codehost' })
    expect(await app.read('tracker')).toMatchObject({ state: 'disconnected', revocation: null })
  })

  it('ends with the App that was uninstalled on GitHub', async () => {
    await connect()
    app.sandbox.github.installations.uninstall(installation())
    const { orgId, integrationId, accountId } = app
    const event = { type: 'access', change: 'deleted', accountId } as const
    await recordAccessEvent(deps, { orgId, integrationId }, event)
    expect(await app.read('tracker')).toMatchObject({ state: 'disconnected' })
  })

  it('leaves the other one when it is disconnected', async () => {
    await connect()
    await disconnectIntegration(deps, caller(), { kind: 'tracker' })
    expect(await app.read()).toMatchObject({ state: 'connected' })
  })

  it('says what it needs, and what to do next, while the other one cannot be shared', async () => {
    const choice = async () => {
      const { orgId } = app
      const rows = await deps.store.transaction({ orgId }, (tx) => listIntegrationRows(tx, orgId))
      const { choices, nextStep } = presentIntegration('tracker', undefined, onlyGithubIssues, rows)
      return { needs: choices[0]?.needs, nextStep }
    }
    expect(await choice()).toEqual({ needs: null, nextStep: 'Connect it.' })
    const set = (state: string) =>
      app.test.asOwner(`update integrations set state = $1 where kind = 'codehost'`, [state])
    for (const [state, needs] of [
      ['reauth_required', 'which has ended. Connect GitHub again first.'],
      ['suspended', 'which is suspended. Unsuspend it at GitHub first.'],
      ['disconnected', 'which is not connected. Connect GitHub first.'],
    ] as const) {
      await set(state)
      const text = `GitHub Issues uses the connection of GitHub, ${needs}`
      expect(await choice()).toEqual({ needs: text, nextStep: text })
    }
  })

  it('is refused where the other one is not connected, and says what to do', async () => {
    await disconnectIntegration(deps, caller(), { kind: 'codehost' })
    await expect(connect()).rejects.toMatchObject({
      code: 'integration_not_connected',
      message:
        'GitHub Issues uses the connection of GitHub, which is not connected. Connect GitHub first.',
    })
  })
})
