import { describe, expect, it } from 'vitest'
import { actionGroups, describeEvent } from './describe-event.ts'

const names = {
  organization: { id: 'org_1', name: 'Acme' },
  environments: [{ id: 'env_1', name: 'production' }],
  providers: [{ provider: 'github', displayName: 'GitHub' }],
}

function sentence(
  action: string,
  target: { type: string; id?: string; name: string | null },
  detail: Record<string, unknown> = {},
): string {
  const event = { action, target: { id: null, ...target }, detail }
  const { did, thing, where } = describeEvent(event, names)
  return ['Ada', did, thing, where].filter((part) => part !== '').join(' ')
}

describe('an event of the audit log', () => {
  it('says which secret was revealed, and where', () => {
    const target = { type: 'config_values', name: 'shop' }
    const detail = { environmentId: 'env_1', keys: ['checkoutApiToken'] }
    expect(sentence('secret.revealed', target, detail)).toBe(
      'Ada revealed checkoutApiToken in production (shop)',
    )
  })

  it('names the first keys of a change, its version, and an environment that is gone by its id', () => {
    const target = { type: 'config_values', name: 'shop' }
    const detail = { environmentId: 'env_1', keys: ['a', 'b', 'c', 'd', 'e'], version: 7 }
    expect(sentence('value.set', target, detail)).toBe(
      'Ada changed a, b, c and 2 more in production (shop), version 7',
    )
    expect(sentence('value.rolled_back', target, { ...detail, keys: ['a'], restored: 4 })).toBe(
      'Ada restored a in production (shop), back to version 4',
    )
    expect(sentence('value.deleted', target, { environmentId: 'env_9', keys: ['a'] })).toBe(
      'Ada removed the value of a in env_9 (shop)',
    )
  })

  it('names the target of everything else, and needs no name for itself', () => {
    expect(sentence('key.revoked', { type: 'api_key', name: 'ci' })).toBe('Ada revoked API key ci')
    expect(sentence('member.joined', { type: 'member', name: 'Ada' }, { role: 'admin' })).toBe(
      'Ada joined as admin',
    )
    const roles = { from: 'viewer', to: 'admin' }
    expect(sentence('member.role_changed', { type: 'member', name: 'Grace' }, roles)).toBe(
      'Ada changed the role of Grace from viewer to admin',
    )
    expect(sentence('audit.exported', { type: 'organization', id: 'org_1', name: null })).toBe(
      'Ada exported the audit log',
    )
    expect(sentence('org.updated', { type: 'organization', id: 'org_1', name: null })).toBe(
      'Ada changed organization Acme',
    )
  })

  it('names the repositories of a notification route that does not take all', () => {
    const target = { type: 'notification_route', name: 'Web' }
    const detail = { repositories: ['acme/web', 'acme/shop'] }
    expect(sentence('notification_route.created', target, detail)).toBe(
      'Ada created notification route Web for acme/web, acme/shop',
    )
    expect(sentence('notification_route.updated', target, { repositories: null })).toBe(
      'Ada changed notification route Web',
    )
  })

  it('calls a provider as people do, and one that is not known by its stored name', () => {
    expect(sentence('integration.connected', { type: 'integration', name: 'github' })).toBe(
      'Ada connected GitHub',
    )
    expect(sentence('integration.connected', { type: 'integration', name: 'older' })).toBe(
      'Ada connected older',
    )
  })

  it('of an unknown action is shown by its name', () => {
    expect(sentence('rocket.launched', { type: 'rocket', name: 'one' })).toBe(
      'Ada rocket.launched one',
    )
  })

  it('is filtered by a subject, or by one action', () => {
    const keys = actionGroups.find(({ label }) => label === 'API keys')
    expect(keys?.actions).toEqual([
      { action: 'key.', label: 'API keys: all actions' },
      { action: 'key.created', label: 'Created API key' },
      { action: 'key.updated', label: 'Changed API key' },
      { action: 'key.rotated', label: 'Rotated API key' },
      { action: 'key.paused', label: 'Paused API key' },
      { action: 'key.revoked', label: 'Revoked API key' },
    ])
  })

  it('is filtered by what happens to messages, jobs, and the encryption key too', () => {
    const choices = actionGroups.flatMap(({ actions }) => actions)
    expect(choices).toEqual(
      expect.arrayContaining([
        { action: 'notification.sent_again', label: 'Sent a message again' },
        { action: 'failed_job.retried', label: 'Retried job' },
        { action: 'dek.rotated', label: 'Rotated the encryption key' },
      ]),
    )
    const actions = choices.map(({ action }) => action)
    expect(new Set(actions).size).toBe(actions.length)
  })
})
