import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings, SettingsError, showSettings } from '../settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

const rootKey = 'A'.repeat(43)

function violationsOf(variables: Record<string, string>): readonly string[] {
  try {
    readSettings(variables, '/srv')
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.violations
    throw error
  }
}

const dayMs = 86_400_000

describe('readSettings', () => {
  it('starts with nothing set: loopback, the embedded database, every role', () => {
    expect(readSettings({}, '/srv')).toMatchObject({
      host: '127.0.0.1',
      apiPort: 4400,
      deliveryPort: 4401,
      flagdPort: undefined,
      dataDir: '/srv/.signalbox',
      databaseUrl: undefined,
      roles: new Set(['api', 'worker', 'delivery']),
    })
  })

  it('refuses a variable it does not know and names the nearest', () => {
    expect(violationsOf({ SIGNALBOX_API_PROT: '1' })).toEqual([
      'SIGNALBOX_API_PROT is not a setting. Did you mean SIGNALBOX_API_PORT?',
    ])
  })

  it('reports every fault at once', () => {
    expect(
      violationsOf({
        SIGNALBOX_API_PORT: '70000',
        SIGNALBOX_ROLES: 'api,wroker',
        SIGNALBOX_PUBLIC_URL: 'example.com',
        SIGNALBOX_RATE_LIMITS: 'write=fast',
        SIGNALBOX_CAPACITY: 'streams=many',
        SIGNALBOX_TRUSTED_PROXIES: 'proxy-1, 10.0.0.0/8, proxy-2',
        SIGNALBOX_EGRESS_ALLOW: 'github.internal, a b',
        SIGNALBOX_EGRESS_ALLOW_MEMBERS: 'hooks.internal:99999',
      }),
    ).toHaveLength(9)
  })

  it('allow calls to the hosts and ports that they name themselves, and to none for members', () => {
    const { egressAllow, egressAllowMembers } = readSettings({
      SIGNALBOX_EGRESS_ALLOW: 'files.internal:8443',
      SIGNALBOX_GITLAB_URL: 'https://gitlab.internal:8929/forge',
      SIGNALBOX_MATTERMOST_URL: 'http://chat.internal',
      SIGNALBOX_OIDC_ISSUER: 'https://id.internal/realms/acme',
      SIGNALBOX_OIDC_CLIENT_ID: 'signalbox',
      SIGNALBOX_OIDC_CLIENT_SECRET: 'secret',
    })
    expect(egressAllow).toEqual([
      'files.internal:8443',
      'gitlab.internal:8929',
      'chat.internal:80',
      'id.internal:443',
    ])
    expect(egressAllowMembers).toEqual([])
  })

  it('takes programs of PostgreSQL for the embedded database alone', () => {
    expect(readSettings({ SIGNALBOX_POSTGRES_BIN: 'pg/bin' }, '/srv').postgresBin).toBe(
      '/srv/pg/bin',
    )
    const both = { SIGNALBOX_POSTGRES_BIN: '/pg', DATABASE_URL: 'postgres://h/d' }
    expect(violationsOf({ ...both, SIGNALBOX_ROOT_KEY: rootKey })).toEqual([
      'SIGNALBOX_POSTGRES_BIN applies only to the embedded database: leave it out with DATABASE_URL.',
    ])
  })

  it('keeps everything without a setting, and otherwise for 30 days at least', () => {
    expect(readSettings({}, '/srv').keptFor).toEqual({
      deploymentsMs: undefined,
      testResultsMs: undefined,
    })
    const set = { SIGNALBOX_KEEP_DEPLOYMENTS: 'forever', SIGNALBOX_KEEP_TEST_RESULTS: '30' }
    expect(readSettings(set, '/srv').keptFor).toEqual({
      deploymentsMs: undefined,
      testResultsMs: 30 * dayMs,
    })
    expect(readSettings({ SIGNALBOX_KEEP_DEPLOYMENTS: '400' }, '/srv').keptFor).toMatchObject({
      deploymentsMs: 400 * dayMs,
    })
    expect(violationsOf({ SIGNALBOX_KEEP_DEPLOYMENTS: '29' })).toEqual([
      'SIGNALBOX_KEEP_DEPLOYMENTS must be a number of days from 30 to 36500, or forever. Fewer days would delete what people still look at.',
    ])
    for (const text of ['0', '-90', '90d', '1e3', '36501', 'never'])
      expect(violationsOf({ SIGNALBOX_KEEP_TEST_RESULTS: text })).toHaveLength(1)
  })

  it('reads the quotas, which are there without a setting', () => {
    const mib = 1024 * 1024
    expect(readSettings({}, '/srv')).toMatchObject({
      publishedLimits: { perOrganizationBytes: 64 * mib, perServerBytes: 512 * mib },
      organizationsPerPerson: 10,
      organizationsCreatedBy: 'anyone',
    })
    const set = {
      SIGNALBOX_PUBLISHED_MIB: '2048',
      SIGNALBOX_ORGANIZATIONS_PER_PERSON: '1',
      SIGNALBOX_ORGANIZATIONS_CREATED_BY: 'operators',
    }
    expect(readSettings(set, '/srv')).toMatchObject({
      publishedLimits: { perServerBytes: 2048 * mib },
      organizationsPerPerson: 1,
      organizationsCreatedBy: 'operators',
    })
    expect(violationsOf({ SIGNALBOX_ORGANIZATIONS_CREATED_BY: 'owners' })).toEqual([
      'SIGNALBOX_ORGANIZATIONS_CREATED_BY must be one of anyone, operators.',
    ])
    expect(
      violationsOf({ SIGNALBOX_PUBLISHED_MIB: '0', SIGNALBOX_ORGANIZATIONS_PER_PERSON: '1.5' }),
    ).toHaveLength(2)
  })

  it('reads the pause before a stop, which the start chooses without a setting', () => {
    expect(readSettings({}, '/srv').drainSeconds).toBeUndefined()
    expect(readSettings({ SIGNALBOX_DRAIN_SECONDS: '0' }, '/srv').drainSeconds).toBe(0)
    for (const text of ['301', '-1', '1.5', 'long'])
      expect(violationsOf({ SIGNALBOX_DRAIN_SECONDS: text })).toEqual([
        'SIGNALBOX_DRAIN_SECONDS must be a number from 0 to 300.',
      ])
  })

  it('takes a pooler in front of a database of its own, with a place for the role', () => {
    const database = { DATABASE_URL: 'postgres://h/d', SIGNALBOX_ROOT_KEY: rootKey }
    const poolUrl = 'postgres://u:p@pool:6432/{role}?sslmode=require'
    expect(readSettings({ ...database, SIGNALBOX_POOL_URL: poolUrl }, '/srv').poolUrl).toBe(poolUrl)
    expect(violationsOf({ SIGNALBOX_POOL_URL: poolUrl })[0]).toContain('needs DATABASE_URL')
    for (const text of ['postgres://pool/signalbox', 'http://pool/{role}', 'postgres://{role}/d'])
      expect(violationsOf({ ...database, SIGNALBOX_POOL_URL: text })[0]).toContain('must look like')
  })

  it('leaves the variables of the command line alone', () => {
    expect(violationsOf({ SIGNALBOX_TOKEN: 'x', SIGNALBOX_URL: 'y' })).toEqual([])
  })

  it('reads a setting from the file that NAME_FILE names, and refuses both at once', () => {
    const file = join(directory, 'key')
    writeFileSync(file, `${rootKey}\n`)
    expect(readSettings({ SIGNALBOX_ROOT_KEY_FILE: file }, '/srv').rootKeys).toEqual([rootKey])
    expect(
      violationsOf({ SIGNALBOX_ROOT_KEY_FILE: file, SIGNALBOX_ROOT_KEY: rootKey }),
    ).toHaveLength(1)
  })

  it('asks for a root key with a database of its own, but not of a process that only delivers', () => {
    const databaseUrl = { DATABASE_URL: 'postgres://localhost/signalbox' }
    expect(violationsOf(databaseUrl)[0]).toContain('SIGNALBOX_ROOT_KEY is required')
    expect(violationsOf({ ...databaseUrl, SIGNALBOX_ROLES: 'delivery' })).toEqual([])
    expect(violationsOf({ ...databaseUrl, SIGNALBOX_ROOT_KEY_COMMAND: 'print-key' })).toEqual([])
    const limitsOff = { SIGNALBOX_RATE_LIMITS: 'off', SIGNALBOX_CAPACITY: 'streams=50' }
    expect(readSettings(limitsOff).capacities).toMatchObject({
      streams: 50,
      streamsPerAddress: Infinity,
      bodyMiB: 64,
    })
    const worker = { ...databaseUrl, SIGNALBOX_ROOT_KEY: 'A'.repeat(43), SIGNALBOX_ROLES: 'worker' }
    expect(violationsOf(worker)).toEqual([
      expect.stringContaining('SIGNALBOX_PUBLIC_URL is required for a worker without the role api'),
    ])
    expect(violationsOf({ ...worker, SIGNALBOX_PUBLIC_URL: 'https://a.example.com' })).toEqual([])
  })

  it('never repeats the value of a secret in a fault', () => {
    const faults = violationsOf({
      SIGNALBOX_BOOTSTRAP_TOKEN: 'short-secret',
      SIGNALBOX_ROOT_KEY: 'wrong-secret',
    })
    expect(faults).toHaveLength(2)
    expect(faults.join()).not.toMatch(/short-secret|wrong-secret/)
  })
})

describe('the OpenID provider', () => {
  const provider = {
    SIGNALBOX_OIDC_ISSUER: 'https://id.example.com/realms/acme',
    SIGNALBOX_OIDC_CLIENT_ID: 'signalbox',
    SIGNALBOX_OIDC_CLIENT_SECRET: 'a secret',
  }

  it('is none unless it is set, and is called by its host unless it has a name', () => {
    expect(readSettings({}, '/srv').oidc).toBeUndefined()
    expect(readSettings(provider, '/srv').oidc).toEqual({
      issuer: 'https://id.example.com/realms/acme',
      clientId: 'signalbox',
      clientSecret: 'a secret',
      name: 'id.example.com',
      scope: 'openid email profile',
      groupsClaim: 'groups',
    })
    const named = { ...provider, SIGNALBOX_OIDC_NAME: 'Acme' }
    expect(readSettings(named, '/srv').oidc?.name).toBe('Acme')
  })

  it('is asked for other scopes and another claim of groups, and always for openid', () => {
    const asked = {
      ...provider,
      SIGNALBOX_OIDC_SCOPE: 'openid roles',
      SIGNALBOX_OIDC_GROUPS_CLAIM: 'roles',
    }
    expect(readSettings(asked, '/srv').oidc).toMatchObject({
      scope: 'openid roles',
      groupsClaim: 'roles',
    })
    const [fault] = violationsOf({ ...provider, SIGNALBOX_OIDC_SCOPE: 'email' })
    expect(fault).toContain('SIGNALBOX_OIDC_SCOPE must list scopes')
  })

  it('is given whole, by an address', () => {
    const { SIGNALBOX_OIDC_CLIENT_SECRET: _secret, ...half } = provider
    expect(violationsOf(half)[0]).toContain('SIGNALBOX_OIDC_CLIENT_SECRET is missing')
    for (const issuer of ['acme', 'file:///etc', 'https://id.example.com/?a=b']) {
      const faults = violationsOf({ ...provider, SIGNALBOX_OIDC_ISSUER: issuer })
      expect(faults[0]).toContain('SIGNALBOX_OIDC_ISSUER must be')
    }
  })
})

describe('showSettings', () => {
  it('masks secrets and names the source', () => {
    const shown = showSettings({
      SIGNALBOX_BOOTSTRAP_TOKEN: 'x'.repeat(40),
      SIGNALBOX_HOST: '0.0.0.0',
    })
    expect(shown.find(({ name }) => name === 'SIGNALBOX_BOOTSTRAP_TOKEN')).toMatchObject({
      source: 'environment',
      value: 'set (40 characters)',
    })
    expect(shown.find(({ name }) => name === 'SIGNALBOX_HOST')).toMatchObject({ value: '0.0.0.0' })
  })
})
