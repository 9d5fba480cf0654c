import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlagdProvider } from '@openfeature/flagd-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

interface Definition {
  readonly flags: Readonly<Record<string, { readonly defaultVariant: string }>>
  readonly metadata: object
}

const file = () => join(place.directory, 'flags.flagd.json')
const read = () => JSON.parse(readFileSync(file(), 'utf8')) as Definition
const pull = (...args: string[]) =>
  place.run(['pull', '--env', 'development', '--format', 'flagd', ...args])

let environmentId = ''
let schemaId = ''

beforeAll(async () => {
  const flag = { tier: 'featureFlags', type: 'boolean' }
  const keys = {
    newCheckout: flag,
    darkMode: flag,
    address: flag,
    stripeKey: { tier: 'secret', type: 'string' },
  }
  const schema = await server.call<{ id: string }>('POST', '/config-schemas', {
    name: 'web',
    schema: keys,
  })
  schemaId = schema.id
  const environment = await server.call<{ id: string }>('GET', '/environments/development')
  environmentId = environment.id
  const rules = {
    newCheckout: [
      { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true },
      { when: [{ attribute: 'app', operator: 'semver', value: '>=2.0.0' }], serve: true },
      { when: [], serve: { percent: 50 } },
    ],
    address: [{ when: [{ attribute: 'address.city', operator: 'exists' }], serve: true }],
  }
  await set({ newCheckout: false, darkMode: true, address: false, stripeKey: 'sk_canary' }, rules)
})
afterAll(() => OpenFeature.close())
beforeEach(() => rmSync(file(), { force: true }))

const set = (values: object, rules?: object) =>
  server.call('PUT', '/config-values', { schemaId, environmentId, values, rules })

describe('pull --format flagd', () => {
  it('writes the flags for its owner alone, and names what flagd cannot decide', async () => {
    const result = await pull()
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toContain('flags.flagd.json  development · 2 flags · flagd · mode 0600')
    expect(result.stderr).toContain(
      'left out: address: flagd cannot read the attribute address.city',
    )
    expect(result.stderr).toContain('newCheckout: flagd also takes versions of two numbers')
    expect(Object.keys(read().flags)).toEqual(['darkMode', 'newCheckout'])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readFileSync(file(), 'utf8')).not.toContain('sk_canary')
    // It may be replaced without a question: it is a definition.
    const again = await pull('--json')
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
      0,
      { format: 'flagd', flagSetId: 'web/development', flags: ['darkMode', 'newCheckout'] },
    ])
  })

  it('prints the definition, writes nothing in a dry run, and replaces no other file unasked', async () => {
    const printed = await pull('--output', '-')
    expect(JSON.parse(printed.stdout)).toMatchObject({ metadata: { flagSetId: 'web/development' } })
    expect((await pull('--dry-run')).stdout).toContain('Would write flags.flagd.json')
    expect(() => statSync(file())).toThrow('ENOENT')
    writeFileSync(file(), 'mine')
    expect(await pull()).toMatchObject({ code: 2 })
    expect(readFileSync(file(), 'utf8')).toBe('mine')
    expect(await pull('--yes')).toMatchObject({ code: 0 })
    expect(Object.keys(read().flags)).toHaveLength(2)
  })

  it('refuses a file that git tracks, a watch without a file, and a browser key', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', place.directory, ...args])
    writeFileSync(file(), '{}')
    git('init', '-q')
    git('add', 'flags.flagd.json')
    expect(await pull('--yes')).toMatchObject({ code: 5 })
    expect(await pull('--watch', '--output', '-')).toMatchObject({ code: 2 })
    expect(await place.run(['pull', '--env', 'development', '--watch'])).toMatchObject({ code: 2 })
    const env = { SIGNALBOX_TOKEN: server.browserKey }
    expect(await place.run(['pull', '--format', 'flagd'], { env })).toMatchObject({ code: 2 })
  })

  it('keeps the file up to date until it is stopped, and the published provider reads it', async () => {
    let stop = () => {}
    const watching = place.run(['pull', '--env', 'development', '--format', 'flagd', '--watch'], {
      onStart: (child) => (stop = () => child.kill('SIGTERM')),
    })
    await expect.poll(() => existsSync(file())).toBe(true)
    await compareWithServer()
    await set({ darkMode: false })
    await expect.poll(() => read().flags['darkMode']?.defaultVariant).toBe('off')
    stop()
    expect(await watching).toMatchObject({ code: 0 })
  })
})

/** Evaluates with the provider in file mode, and by the server, for the same contexts. */
async function compareWithServer(): Promise<void> {
  const provider = new FlagdProvider({
    resolverType: 'in-process',
    offlineFlagSourcePath: file(),
  })
  await OpenFeature.setProviderAndWait('file', provider)
  const client = OpenFeature.getClient('file')
  const plans = ['pro', 'free']
  for (let user = 0; user < 20; user += 1) {
    const context = { targetingKey: `user-${user}`, plan: plans[user % 2] ?? '' }
    const { value } = await server.call<{ value: boolean }>(
      'POST',
      '/config/feature-flags/newCheckout/evaluate',
      { environment: 'development', schema: 'web', context },
    )
    expect(await client.getBooleanValue('newCheckout', !value, context)).toBe(value)
  }
}
