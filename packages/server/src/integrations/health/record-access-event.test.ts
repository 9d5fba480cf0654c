import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordAccessEvent } from './record-access-event.ts'
import { openInstalled, type Installed } from '../testing/open-installed.ts'

let app: Installed
beforeAll(async () => {
  app = await openInstalled()
})
beforeEach(() => app.reset())
afterAll(() => app.close())

type Change = 'deleted' | 'suspended' | 'unsuspended' | 'permissions' | 'repositories'

const record = (change: Change) => {
  const { deps, orgId, integrationId, accountId } = app
  const event = { type: 'access', change, accountId } as const
  return recordAccessEvent(deps, { orgId, integrationId }, event)
}
const installation = () => {
  const found = app.sandbox.github.state.installations.get(Number(app.accountId))
  if (found === undefined) throw new Error('It is not installed')
  return found
}
const done = { outcome: 'done' }

describe('recordAccessEvent', () => {
  it('suspends the integration and takes it up again', async () => {
    const { installations } = app.sandbox.github
    installations.suspend(installation())
    expect(await record('suspended')).toEqual(done)
    expect(await app.read()).toMatchObject({ state: 'suspended', audited: ['integration.updated'] })
    installations.unsuspend(installation())
    expect(await record('unsuspended')).toEqual(done)
    expect(await app.read()).toMatchObject({ state: 'connected', state_reason: null })
    expect(app.events).toEqual(['integration.attention', 'codehost.connected'])
  })

  it('believes GitHub and not the event that comes last', async () => {
    const { installations } = app.sandbox.github
    installations.suspend(installation())
    installations.unsuspend(installation())
    await record('unsuspended')
    await record('suspended')
    expect(await app.read()).toMatchObject({ state: 'connected' })
  })

  it('ends the integration whose App was uninstalled, once', async () => {
    app.sandbox.github.installations.uninstall(installation())
    expect(await record('deleted')).toEqual(done)
    expect(await app.read()).toMatchObject({
      state: 'disconnected',
      revocation: { state: 'revoked' },
      audited: ['integration.disconnected'],
    })
    expect(await record('deleted')).toMatchObject({ outcome: 'ignored' })
    expect(app.events).toEqual(['integration.attention'])
  })

  it('does not end one that is installed, whatever an event says', async () => {
    await record('deleted')
    expect(await app.read()).toMatchObject({ state: 'connected' })
  })

  it('says what is missing, and works in full when it was granted', async () => {
    Object.assign(installation(), { permissions: { metadata: 'read', actions: 'write' } })
    await record('permissions')
    expect(await app.read()).toMatchObject({
      state: 'degraded',
      state_reason: 'Missing permissions: deployments:read, contents:read.',
      scopes: ['actions:read', 'actions:write', 'metadata:read'],
    })
    Object.assign(installation(), { permissions: app.sandbox.github.app.permissions })
    await record('permissions')
    expect(await app.read()).toMatchObject({ state: 'connected', state_reason: null })
  })

  it('stays connected in full with the permissions of an App that was registered before checks and gates', async () => {
    const permissions = {
      metadata: 'read',
      deployments: 'read',
      actions: 'write',
      contents: 'read',
      issues: 'read',
    }
    Object.assign(installation(), { permissions })
    await record('permissions')
    expect(await app.read()).toMatchObject({ state: 'connected', state_reason: null })
    Object.assign(installation(), { permissions: app.sandbox.github.app.permissions })
    await record('permissions')
  })

  it('has repositories fetched that came to the installation', async () => {
    expect(await record('repositories')).toEqual(done)
    expect(app.events).toContain('codehost.connected')
  })

  it('fails, to be tried again, when GitHub does not say', async () => {
    const fault = { kind: 'answer', status: 503 } as const
    app.sandbox.faults.add({ provider: 'github', request: 'GET /app/installations', fault })
    await expect(record('deleted')).rejects.toMatchObject({ failure: 'unavailable' })
    expect(await app.read()).toMatchObject({ state: 'connected' })
  })

  it('leaves everything as it is when a person takes back an authorization', async () => {
    const { deps, orgId, integrationId } = app
    const event = { type: 'authorizationRevoked', login: 'ada' } as const
    expect(await recordAccessEvent(deps, { orgId, integrationId }, event)).toMatchObject({
      outcome: 'ignored',
    })
    expect(await app.read()).toMatchObject({ state: 'connected' })
  })
})
