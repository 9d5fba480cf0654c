import { describe, expect, it } from 'vitest'
import type { Integration } from './integration.ts'
import { presentIntegration } from './present-integration.ts'

const connected: Integration = {
  orgId: 'org_1',
  id: 'int_1',
  kind: 'codehost',
  provider: 'gitlab',
  isShared: false,
  state: 'connected',
  stateReason: null,
  account: { id: 'gitlab.com/7', name: 'ada', url: null },
  scopes: ['read_api'],
  settings: {},
  connectedAt: null,
  connectedBy: null,
  reconnectBefore: null,
  lastOkAt: null,
  lastError: null,
  renewalRetryAt: null,
  revocation: null,
  revision: 1,
}

const present = (more: Partial<Integration>) =>
  presentIntegration('codehost', { ...connected, ...more }, () => undefined)
const startOf = (more: Partial<Integration>) =>
  present(more).capabilities.find(({ name }) => name === 'startWorkflows')

describe('what works with a connection', () => {
  it('depends on the level that was granted', () => {
    expect(present({})).toMatchObject({ level: 'read', missingScopes: [] })
    expect(startOf({})).toMatchObject({ works: false })
    expect(present({ scopes: ['api', 'read_api'] }).level).toBe('full')
    expect(startOf({ scopes: ['api', 'read_api'] })).toMatchObject({ works: true })
  })

  it.each([
    ['reauth_required', 'The access to GitLab has ended.', 'Connect GitLab again.'],
    ['suspended', 'The access is suspended at GitLab.', 'Unsuspend it at GitLab.'],
  ] as const)('is nothing while it is %s', (state, detail, nextStep) => {
    const { capabilities } = present({ state, scopes: ['api', 'read_api'] })
    expect(capabilities).not.toEqual([])
    for (const one of capabilities) expect(one).toMatchObject({ works: false, detail, nextStep })
  })

  it('is said of no account that is not there', () => {
    const none = { level: null, capabilities: [], limits: [] }
    expect(present({ state: 'disconnected' })).toMatchObject(none)
    expect(present({ state: 'pending', account: null })).toMatchObject(none)
    expect(presentIntegration('codehost', undefined, () => undefined)).toMatchObject(none)
  })
})
