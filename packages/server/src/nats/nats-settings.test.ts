import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../settings.ts'

const publisherKey = 'k'.repeat(43)
const node = {
  SIGNALBOX_ROLES: 'delivery',
  SIGNALBOX_NATS_URL: 'tls://nats.example.com:4222',
  SIGNALBOX_PUBLISHER_KEYS: publisherKey,
}

const violationsOf = (variables: Record<string, string>): string => {
  try {
    readSettings(variables)
    return ''
  } catch (error) {
    return error instanceof SettingsError ? error.violations.join('\n') : String(error)
  }
}

describe('the settings of NATS', () => {
  it('feed a process that only delivers, and let a worker publish to groups', () => {
    expect(readSettings(node).nats).toMatchObject({ group: 'all', isEncrypted: true })
    const worker = {
      SIGNALBOX_NATS_URL: 'nats://127.0.0.1:4222,nats://localhost:4223',
      SIGNALBOX_NATS_GROUPS: 'eu:acme+org_2, us:org_3',
    }
    expect(readSettings(worker).nats).toMatchObject({
      isEncrypted: false,
      groups: [
        { name: 'all', organizations: undefined },
        { name: 'eu', organizations: ['acme', 'org_2'] },
        { name: 'us', organizations: ['org_3'] },
      ],
    })
    expect(
      readSettings({
        ...worker,
        SIGNALBOX_ROLES: 'worker',
        SIGNALBOX_PUBLIC_URL: 'https://signalbox.example.com',
      }).nats,
    ).toBeDefined()
  })

  it.each([
    [{ ...node, SIGNALBOX_NATS_URL: 'nats://nats.example.com:4222' }, 'Write tls://'],
    [
      { ...node, SIGNALBOX_NATS_URL: 'tls://a.example.com:4222,nats://127.0.0.1:4222' },
      'before all addresses, or before none',
    ],
    [{ ...node, SIGNALBOX_NATS_URL: 'tls://user:pass@a.example.com' }, 'without credentials'],
    [{ ...node, SIGNALBOX_NATS_URL: 'tls://10.0.0.1:4222' }, 'write the names'],
    [{ ...node, SIGNALBOX_NATS_URL: 'tls://[fd00::1]:4222' }, 'write the names'],
    [{ ...node, DATABASE_URL: 'postgres://db/signalbox' }, 'either the database or NATS'],
    [{ ...node, SIGNALBOX_PUBLISHER_KEYS: '' }, 'needs SIGNALBOX_PUBLISHER_KEYS'],
    [{ ...node, SIGNALBOX_PUBLISHER_KEYS: 'short' }, 'must be the keys that'],
    [{ ...node, SIGNALBOX_NATS_GROUP: 'EU west' }, 'SIGNALBOX_NATS_GROUP must'],
    [{ ...node, SIGNALBOX_NATS_GROUPS: 'eu:acme' }, 'needs the role worker'],
    [{ ...node, SIGNALBOX_NATS_SEED: 'secret' }, 'SIGNALBOX_NATS_SEED must'],
    [{ ...node, SIGNALBOX_NATS_BUCKET: 'a.b' }, 'SIGNALBOX_NATS_BUCKET must'],
    [{ SIGNALBOX_NATS_BUCKET: 'b' }, 'needs SIGNALBOX_NATS_URL'],
    [
      { SIGNALBOX_NATS_URL: 'nats://127.0.0.1', SIGNALBOX_NATS_GROUPS: 'eu' },
      'must look like eu:acme',
    ],
    [
      { SIGNALBOX_NATS_URL: 'nats://127.0.0.1', SIGNALBOX_NATS_GROUPS: 'publisher:acme' },
      'names publisher',
    ],
    [
      { SIGNALBOX_NATS_URL: 'nats://127.0.0.1', SIGNALBOX_NATS_GROUP: 'eu' },
      'needs SIGNALBOX_ROLES',
    ],
  ])('refuse %j', (variables, reason) => {
    const violations = violationsOf(variables)
    expect(violations).toContain(reason)
    expect(violations).not.toMatch(/secret|user:pass/)
  })
})
