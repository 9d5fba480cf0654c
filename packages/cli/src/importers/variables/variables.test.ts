import { variableNameOf } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExportError, type ReadExport } from '../importer.ts'
import { importers } from '../registry.ts'
import { adoptStoredKeys } from './adopt-stored-keys.ts'
import { createToIssue } from './variable.ts'

/** Stands for the values of secrets. No issue, error or name may hold it. */
const canary = 'c4n4ry-9f2b'

function read(source: string, content: unknown, prefix?: string): ReadExport {
  const importer = importers.get(source)
  if (importer === undefined) throw new Error(`There is no ${source}`)
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return importer.fromFile(text, { environment: 'staging', environments: new Map(), prefix })
}

/** Returns each key in a line: its tier, and its value with its type. */
const keysOf = ({ keys }: ReadExport) =>
  Object.fromEntries(keys.map(({ key, tier, values }) => [key, [tier, values[0]?.value]]))

/** Returns the codes of what is left out, by its name. */
const leftOutOf = ({ leftOut }: ReadExport) =>
  Object.fromEntries(leftOut.map(({ from, issues }) => [from, issues.map(({ code }) => code)]))

const codesOf = ({ keys }: ReadExport) =>
  Object.fromEntries(
    keys.map(({ key, issues }) => [key, issues.map(({ code, severity }) => `${code} ${severity}`)]),
  )

describe('the name of a variable', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,40}$/)
  const exports: [source: string, toExport: (names: readonly string[]) => unknown][] = [
    ['dotenv', (names) => names.map((each) => `${each}=x`).join('\n')],
    ['doppler', (names) => Object.fromEntries(names.map((each) => [each, 'x']))],
    ['vercel', (names) => names.map((each) => `${each}="x"`).join('\n')],
    [
      'kubernetes',
      (names) => ({
        kind: 'ConfigMap',
        data: Object.fromEntries(names.map((each) => [each, 'x'])),
      }),
    ],
  ]

  it.each(exports)('goes out of %s as it came in', (source, toExport) => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), (names) => {
        const { keys } = read(source, toExport(names))
        for (const { key, from, variable } of keys) {
          expect([from, from.endsWith(variableNameOf(key, variable))]).toEqual([from, true])
        }
      }),
    )
  })

  it('is said to change where a key cannot have it', () => {
    const result = read('dotenv', `.hidden=a\nNEXT_PUBLIC_KEY=sk_live_${'4f'.repeat(12)}`)
    expect(result.keys).toMatchObject([
      { key: '_hidden', verdict: 'exact' },
      { key: 'key', tier: 'secret', verdict: 'differs' },
    ])
    expect(result.keys.every(({ variable }) => variable === undefined)).toBe(true)
    expect(JSON.stringify(result)).toContain('Programs get it as _HIDDEN.')
    expect(JSON.stringify(result)).toContain('Programs get it as KEY.')
  })

  it('is that of the key where the schema has it, which the plan says', () => {
    const stored = {
      apiUrl: { type: 'string', tier: 'public' },
      conn: { type: 'string', tier: 'secret', variable: 'Db__Conn' },
    } as const
    const adopted = adoptStoredKeys(
      read('dotenv', 'VITE_API_URL=https://a.example.com\nDb__Conn=x'),
      stored,
      createToIssue('ENV'),
    )
    expect(adopted.keys).toMatchObject([
      { key: 'apiUrl', verdict: 'differs', issues: [{ code: 'ENV-A003', severity: 'medium' }] },
      { key: 'conn', verdict: 'exact', issues: [] },
    ])
  })
})

describe('an .env file', () => {
  it('becomes keys: secret when in doubt, and typed only where that is safe', () => {
    const result = read(
      'dotenv',
      [
        'STRIPE_KEY=sk_test_1',
        'DATABASE_URL=postgres://app:pw@db.example.com/app',
        'NEXT_PUBLIC_API_URL=http://localhost:3000',
        'SITE_URL=https://shop.example.com',
        'HOOK_URL=https://hooks.example.com/services/T0/B0/x',
        'OTHER_URL=https://db.internal',
        'PORT=3000',
        'VERSION_CODE=007',
        'PIN=1234',
        'ACCOUNT_ID=123456789012',
        'DEBUG=true',
        'VERBOSE=yes',
        'LOG_LEVEL=info',
        'GREETING=hello',
      ].join('\n'),
    )
    expect(keysOf(result)).toEqual({
      stripeKey: ['secret', 'sk_test_1'],
      databaseUrl: ['secret', 'postgres://app:pw@db.example.com/app'],
      apiUrl: ['public', 'http://localhost:3000'],
      siteUrl: ['public', 'https://shop.example.com'],
      hookUrl: ['secret', 'https://hooks.example.com/services/T0/B0/x'],
      otherUrl: ['secret', 'https://db.internal'],
      port: ['public', 3000],
      versionCode: ['secret', '007'],
      pin: ['secret', '1234'],
      accountId: ['secret', '123456789012'],
      debug: ['public', true],
      verbose: ['secret', 'yes'],
      logLevel: ['public', 'info'],
      greeting: ['secret', 'hello'],
    })
    expect(codesOf(result)['port']).toEqual(['ENV-V006 low'])
    expect(result.keys.every(({ verdict }) => verdict === 'exact')).toBe(true)
  })

  it('names what is left out, each with its own reason', () => {
    const result = read(
      'dotenv',
      [
        'EMPTY=',
        'API_URL=a',
        'VITE_API_URL=b',
        'DBNAME=a',
        'DB_NAME=b',
        'C__D=a',
        'C_D=b',
        'TURBO_CACHE=remote',
        'VERCEL=1',
        'DOPPLER_CONFIG=dev',
        'SIGNALBOX_TOKEN=sbx',
        'NODE_OPTIONS=--require x',
        'npm_config_registry=https://npm.example.com',
        'ld.preload=x',
        'CONSTRUCTOR=x',
        `BIG=${'x'.repeat(64 * 1024 + 1)}`,
        'VITE_TOKEN=ghp_x',
        'TWICE=a',
        'TWICE=b',
      ].join('\n'),
    )
    expect(leftOutOf(result)).toEqual({
      EMPTY: ['ENV-V001'],
      API_URL: ['ENV-V003'],
      VITE_API_URL: ['ENV-V003'],
      DBNAME: ['ENV-V003'],
      DB_NAME: ['ENV-V003'],
      TURBO_CACHE: ['ENV-V002'],
      VERCEL: ['ENV-V002'],
      DOPPLER_CONFIG: ['ENV-V002'],
      SIGNALBOX_TOKEN: ['ENV-V002'],
      NODE_OPTIONS: ['ENV-V004'],
      npm_config_registry: ['ENV-V004'],
      'ld.preload': ['ENV-V004'],
      CONSTRUCTOR: ['ENV-V005'],
      BIG: ['ENV-V009'],
    })
    expect(keysOf(result)).toEqual({
      c__d: ['secret', 'a'],
      cD: ['secret', 'b'],
      token: ['secret', 'ghp_x'],
      twice: ['secret', 'b'],
    })
    expect(codesOf(result)).toEqual({
      c__d: [],
      cD: [],
      token: ['ENV-V007 medium', 'ENV-V010 low'],
      twice: ['ENV-V008 low'],
    })
  })

  it('leaves out a name without a value by its line, and takes no other line for one', () => {
    for (const source of ['dotenv', 'vercel']) {
      const result = read(source, 'A_B=1\nPASSED_ON\nexport ALSO_2\n')
      expect(keysOf(result)).toEqual({ aB: ['public', 1] })
      expect(Object.keys(leftOutOf(result))).toEqual(['line 2', 'line 3'])
    }
    for (const line of ['MIIEowIBAAKCAQEA', 'a name', 'TWO NAMES', 'A'.repeat(65)]) {
      expect(() => read('dotenv', `KEY=1\n${line}`)).toThrow('Line 2 is no assignment')
    }
  })

  it('looks up references in the file, and leaves out what it cannot', () => {
    const result = read(
      'dotenv',
      [
        'HOST_NAME=db',
        'URL_A="pg://${HOST_NAME}/$HOST_NAME"',
        'URL_B=${URL_A}?x',
        'WITH_DEFAULT=${NOWHERE:-none}',
        'OWN_DEFAULT=${OWN_DEFAULT:-1}',
        "SINGLE='${HOST_NAME}'",
        'DOLLAR=pa$word',
        String.raw`ESCAPED="a\${HOST_NAME}"`,
        'MISSING=${NOWHERE}',
        'COMMAND=$(whoami)',
        'LOOP_A=${LOOP_B}',
        'LOOP_B=${LOOP_A}',
        'BROKEN=${a b}',
      ].join('\n'),
    )
    expect(keysOf(result)).toEqual({
      hostName: ['secret', 'db'],
      urlA: ['secret', 'pg://db/db'],
      urlB: ['secret', 'pg://db/db?x'],
      ownDefault: ['public', 1],
      withDefault: ['secret', 'none'],
      single: ['secret', '${HOST_NAME}'],
      dollar: ['secret', 'pa$word'],
      escaped: ['secret', 'a${HOST_NAME}'],
    })
    expect(codesOf(result)).toMatchObject({
      urlA: ['ENV-R001 low'],
      single: [],
      dollar: ['ENV-R004 medium'],
    })
    expect(leftOutOf(result)).toEqual({
      MISSING: ['ENV-R002'],
      COMMAND: ['ENV-R003'],
      LOOP_A: ['ENV-R002'],
      LOOP_B: ['ENV-R002'],
      BROKEN: ['ENV-R002'],
    })
  })
})

describe('an export', () => {
  it('of Vercel loses what the platform sets, and takes no empty sensitive value', () => {
    const result = read(
      'vercel',
      '# Created by Vercel CLI\nVERCEL_ENV="preview"\nSECRET_A=""\nPRICE="5$USD"\nPORT="80"\n',
    )
    expect(keysOf(result)).toEqual({ price: ['secret', '5$USD'], port: ['public', 80] })
    expect(leftOutOf(result)).toEqual({ VERCEL_ENV: ['VER-V002'], SECRET_A: ['VER-V001'] })
    expect(result.leftOut.find(({ from }) => from === 'SECRET_A')?.issues[0]?.severity).toBe('high')
  })

  it('of the API of Vercel says what it does not hold', () => {
    const entry = (key: string, more: object) => ({ key, type: 'encrypted', value: 'x', ...more })
    const result = read('vercel', {
      envs: [
        entry('API_HOST', { decrypted: true, comment: 'of the shop' }),
        entry('PORT', { type: 'plain', value: '80' }),
        entry('SEALED', { decrypted: false, value: 'eyJ2' }),
        entry('SENSITIVE', { type: 'sensitive', value: 'eyJ2' }),
        entry('BRANCH', { decrypted: true, gitBranch: 'next' }),
      ],
    })
    expect(keysOf(result)).toEqual({ apiHost: ['secret', 'x'], port: ['public', 80] })
    expect(result.keys[0]?.description).toBe('of the shop')
    expect(leftOutOf(result)).toEqual({
      SEALED: ['VER-T006'],
      SENSITIVE: ['VER-V001'],
      BRANCH: ['VER-T011'],
    })
  })

  it('of Doppler is read flat, and as the API lists it', () => {
    const flat = { DOPPLER_PROJECT: 'shop', STRIPE_KEY: 'sk', EMPTY: '' }
    expect(keysOf(read('doppler', flat))).toEqual({ stripeKey: ['secret', 'sk'] })
    const listed = { secrets: { A: { raw: '${B}', computed: 'b' }, C: { computed: null } } }
    expect(keysOf(read('doppler', listed))).toEqual({ a: ['secret', 'b'] })
    expect(leftOutOf(read('doppler', listed))).toEqual({ C: ['DOP-T006'] })
  })

  it('of Infisical keeps folders in names, resolves references, and loses personal values', () => {
    const secret = (key: string, value: string, more: object = {}) => ({
      key,
      value,
      type: 'shared',
      secretPath: '/',
      ...more,
    })
    const payments = { secretPath: '/payments', environment: 'prod' }
    const result = read('infisical', [
      secret('HOST_NAME', 'db'),
      secret('URL_A', 'pg://${HOST_NAME}/${prod.payments.STRIPE_KEY}', { environment: 'prod' }),
      secret('STRIPE_KEY', 'sk', payments),
      secret('HOST_NAME', 'mine', { type: 'personal' }),
      secret('ALONE', 'mine', { type: 'personal' }),
      secret('ELSEWHERE', '${dev.HOST_NAME}', { environment: 'prod' }),
    ])
    expect(keysOf(result)).toEqual({
      hostName: ['secret', 'db'],
      urlA: ['secret', 'pg://db/sk'],
      paymentsStripeKey: ['secret', 'sk'],
    })
    expect(codesOf(result)['urlA']).toEqual(['INF-R001 low'])
    expect(
      result.leftOut.map(({ from, issues: [issue] }) => [from, issue?.code, issue?.severity]),
    ).toEqual([
      ['HOST_NAME', 'INF-T005', 'low'],
      ['ALONE', 'INF-T005', 'high'],
      ['ELSEWHERE', 'INF-R002', 'high'],
    ])
    const hidden = { secretKey: 'B', secretValue: '<hidden>', secretValueHidden: true }
    const raw = {
      secrets: [
        { secretKey: 'A', secretValue: 'x', secretPath: '/shop' },
        { ...hidden, secretPath: '/shop' },
        { secretKey: 'C', secretValue: 'of ${B}', secretPath: '/shop' },
      ],
    }
    expect(keysOf(read('infisical', raw))).toEqual({ a: ['secret', 'x'] })
    expect(leftOutOf(read('infisical', raw))).toEqual({
      'shop/B': ['INF-T006'],
      'shop/C': ['INF-T006'],
    })
  })

  it('of Systems Manager keeps what paths do not have in common, and its secrets', () => {
    const Parameters = [
      { Name: '/shop/prod/db/PORT', Type: 'SecureString', Value: '5432', Version: 1 },
      { Name: '/shop/prod/db/hosts', Type: 'StringList', Value: 'a,b', Version: 1 },
      { Name: '/shop/prod/pageSize', Type: 'String', Value: '20', Version: 1 },
      { Name: '/shop/prod/still', Type: 'SecureString', Value: `AQICAH${'x'.repeat(120)}` },
    ]
    const result = read('aws-ssm', { Parameters })
    expect(keysOf(result)).toEqual({
      dbPort: ['secret', '5432'],
      dbHosts: ['secret', 'a,b'],
      pageSize: ['public', 20],
    })
    expect(codesOf(result)['dbHosts']).toEqual(['SSM-T001 medium'])
    expect(leftOutOf(result)).toEqual({ '/shop/prod/still': ['SSM-T010'] })
    const [one] = Parameters
    expect(keysOf(read('aws-ssm', { Parameter: one }))).toEqual({ port: ['secret', '5432'] })
    expect(keysOf(read('aws-ssm', { Parameter: one }, '/shop/prod'))).toEqual({
      dbPort: ['secret', '5432'],
    })
  })

  it('of Secrets Manager has a key for each member of an object', () => {
    const SecretString = JSON.stringify({ username: 'app', port: 5432, options: { tls: true } })
    const one = read('aws-secrets-manager', { Name: 'prod/db', SecretString })
    expect(keysOf(one)).toEqual({
      username: ['secret', 'app'],
      port: ['secret', '5432'],
      options: ['secret', '{"tls":true}'],
    })
    expect(codesOf(one)['options']).toEqual(['ASM-T004 medium'])
    const several = read('aws-secrets-manager', {
      SecretValues: [
        { Name: 'prod/db', SecretString: '{"password":"a"}' },
        { Name: 'prod/stripe', SecretString: 'sk' },
        { Name: 'prod/cert', SecretBinary: 'AAAA' },
      ],
      Errors: [{ SecretId: 'prod/other', ErrorCode: 'AccessDenied' }],
    })
    expect(keysOf(several)).toEqual({ dbPassword: ['secret', 'a'], stripe: ['secret', 'sk'] })
    expect(leftOutOf(several)).toEqual({ 'prod/other': ['ASM-T006'], 'prod/cert': ['ASM-T002'] })
  })

  it('of Vault is read in both versions of KV', () => {
    const data = { STRIPE_KEY: 'sk', attempts: 3 }
    const expected = { stripeKey: ['secret', 'sk'], attempts: ['secret', '3'] }
    const metadata = { created_time: '2026-01-01T00:00:00Z', version: 4, destroyed: false }
    expect(keysOf(read('vault', { data: { data, metadata } }))).toEqual(expected)
    expect(keysOf(read('vault', { lease_id: '', data }))).toEqual(expected)
    // A secret of version 1 may have members of these names.
    expect(keysOf(read('vault', { data: { data: 'x', metadata: 'y' } }))).toEqual({
      data: ['secret', 'x'],
      metadata: ['secret', 'y'],
    })
    expect(() => read('vault', { data: { data: null, metadata } })).toThrow('is deleted')
  })
})

describe('a list of names', () => {
  it.each([
    ['gh secret list --json name', '[{"name":"STRIPE_KEY"},{"name":"DB_URL"}]'],
    ['the API', '{"total_count":2,"secrets":[{"name":"STRIPE_KEY"},{"name":"DB_URL"}]}'],
    ['gh secret list', 'NAME\tUPDATED\nSTRIPE_KEY\tabout 1 day ago\nDB_URL\t2026-01-01\n'],
    ['a person', '# ours\nSTRIPE_KEY\r\n\r\nDB_URL\r\nDB_URL'],
  ])('of %s declares keys without values, which the plan says', (_, text) => {
    const importer = importers.get('names')
    const options = { environment: undefined, environments: new Map<string, string>() }
    const { keys, leftOut } = importer?.fromFile(text, options) ?? { keys: [], leftOut: [] }
    expect(leftOut).toEqual([])
    expect(keys).toMatchObject([
      { key: 'stripeKey', tier: 'secret', values: [], issues: [{ code: 'NAM-T012' }] },
      { key: 'dbUrl', tier: 'secret', values: [], issues: [{ code: 'NAM-T012' }] },
    ])
  })

  it('may have values, and loses what cannot be a key', () => {
    const list = [
      { name: 'PAGE_SIZE', value: '20' },
      { name: 'STRIPE_KEY' },
      { name: 'API_URL' },
      { name: 'VITE_API_URL' },
      { name: 'NODE_OPTIONS' },
      { name: 'EMPTY', value: '' },
    ]
    const result = read('names', list)
    expect(keysOf(result)).toEqual({
      pageSize: ['public', 20],
      stripeKey: ['secret', undefined],
    })
    expect(leftOutOf(result)).toEqual({
      API_URL: ['NAM-V003'],
      VITE_API_URL: ['NAM-V003'],
      NODE_OPTIONS: ['NAM-V004'],
      EMPTY: ['NAM-V001'],
    })
    expect(JSON.stringify(result)).not.toContain('unknown')
  })
})

describe('manifests', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const manifest = `
apiVersion: v1
kind: Secret
metadata: { name: shop }
data:
  STRIPE_KEY: ${base64('sk')}
  TRAILING: ${base64('x\n')}
  OVERRIDDEN: ${base64('old')}
  KEYSTORE: ${Buffer.from([0xff, 0xfe, 0]).toString('base64')}
stringData: { OVERRIDDEN: new }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: shop }
data: { PAGE_SIZE: "20", app.title: Shop }
binaryData: { logo: AAAA }
---
kind: Deployment
metadata: { name: shop }
---
kind: SealedSecret
metadata: { name: sealed }
---
kind: Secret
type: kubernetes.io/service-account-token
metadata: { name: account }
data: { token: ${base64('x')} }
`

  it('have the values of Secrets and ConfigMaps', () => {
    const result = read('kubernetes', manifest)
    expect(keysOf(result)).toEqual({
      stripeKey: ['secret', 'sk'],
      trailing: ['secret', 'x\n'],
      overridden: ['secret', 'new'],
      pageSize: ['public', 20],
      appTitle: ['secret', 'Shop'],
    })
    expect(codesOf(result)['trailing']).toEqual(['KUB-T009 low'])
    expect(leftOutOf(result)).toEqual({
      'Secret shop: KEYSTORE': ['KUB-T002'],
      'ConfigMap shop: logo': ['KUB-T002'],
      'Deployment shop': ['KUB-T007'],
      'SealedSecret sealed': ['KUB-T007'],
      'Secret account': ['KUB-T008'],
    })
  })

  it('may be the list that kubectl writes, as YAML or JSON', () => {
    const items = [{ kind: 'Secret', metadata: { name: 'a' }, data: { A_KEY: base64('x') } }]
    const expected = { aKey: ['secret', 'x'] }
    expect(keysOf(read('kubernetes', { kind: 'List', items }))).toEqual(expected)
    expect(
      keysOf(read('kubernetes', { kind: 'SecretList', items: [{ ...items[0], kind: undefined }] })),
    ).toEqual(expected)
  })
})

describe('a faulty export', () => {
  const secretLine = `A: "${canary}`
  it.each([
    ['dotenv', `A=1\n${canary}\n`, 'Line 2 is no assignment'],
    ['dotenv', '# nothing\n', 'sets no variable'],
    ['vercel', `A=1\n\n${canary}`, 'Line 3'],
    ['doppler', `{\n"A": ${canary}}`, 'line 2'],
    ['doppler', '["A"]', 'no export of Doppler'],
    ['doppler', `{"A": ["${canary}"]}`, 'A is no text'],
    ['vercel', '{"A": "x"}', 'no export of Vercel'],
    ['vercel', `{"envs": [{"value": "${canary}"}]}`, 'envs[0].key is missing'],
    ['infisical', '{"A": "x"}', 'no export of Infisical'],
    ['infisical', `[{"value": "${canary}"}]`, 'secrets[0].key is missing'],
    ['aws-ssm', '{}', '"Parameters" is missing'],
    ['aws-ssm', '{"Parameters": [{"Value": "x"}]}', 'Parameters[0].Name is missing'],
    ['aws-ssm', '{"Parameters": [], "NextToken": "x"}', 'only a part'],
    ['aws-secrets-manager', '{"Name": "x"}', '"SecretString" is missing'],
    ['vault', '{"errors": []}', '"data" is missing'],
    ['names', '', 'no name'],
    ['names', '{"a": 1}', 'no list of names'],
    ['names', `A\nB=${canary}`, 'Line 2 is no name'],
    ['names', '["A", "B C"]', '[1] is no name'],
    ['names', '[{"name": "A"},{}]', '[1].name is no name'],
    ['kubernetes', `kind: Secret\n${secretLine}\n`, "can't be read"],
    ['kubernetes', '', 'no manifest'],
    ['kubernetes', 'a: 1', 'kind is missing'],
    ['kubernetes', `kind: Secret\ndata: { A: "${canary}!" }`, 'data.A is no base64'],
    ['kubernetes', 'kind: ConfigMap\ndata: { A: 1 }', 'data.A is no text. Put it in quotes.'],
  ])('of %s says where: %#', (source, text, message) => {
    const error = errorOf(() => read(source, text))
    expect(error).toBeInstanceOf(ExportError)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain(canary)
  })

  it('is about an environment that somebody has named', () => {
    const importer = importers.get('dotenv')
    expect(() =>
      importer?.fromFile('A=1', { environment: undefined, environments: new Map() }),
    ).toThrow('--env <name>')
  })
})

it('holds no value in names and issues, whatever the values are', () => {
  const names = ['A_A', 'VITE_A', 'A_B', 'A_C']
  const fragment = fc.constantFrom(canary, '${A_A}', '$A_B', '$(', '\\$', '${', ' ', '#', '"', "'")
  const value = fc.array(fragment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const named = Object.fromEntries(values.map((one, at) => [names[at] ?? '', one]))
      const lines = Object.entries(named).map(([name, one]) => `${name}=${one}`)
      const lists = [
        read('dotenv', lines.join('\n')),
        read('vercel', lines.join('\n')),
        read('doppler', named),
        read(
          'infisical',
          Object.entries(named).map(([key, one]) => ({ key, value: one })),
        ),
        read('vault', { data: { ...named, nested: named } }),
        read('kubernetes', { kind: 'Secret', stringData: named }),
      ]
      for (const { keys, leftOut } of lists) {
        const shown = keys.map(({ values: _values, ...rest }) => rest)
        expect(JSON.stringify([shown, leftOut])).not.toContain(canary)
      }
    }),
  )
})

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
