import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

/** A schema of its own for each test. */
const project = (schema: string) =>
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema }))
const narrower = `
  public: { timeoutMs: number({ integer: true, max: 100 }) },
  secret: { stripeKey: string({ prefix: 'sk_' }) },
  featureFlags: { newCheckout: boolean({ default: false }), beta: boolean({ default: true }) },
`

describe('check --env', () => {
  it('says of every environment which values fit, and what a push would change', async () => {
    project('fits')
    writeDefinition(place, oneOfEach)
    expect(await place.run(['push', '--env', 'development', '--yes'])).toMatchObject({ code: 0 })
    await place.run(['set', 'stripeKey', '--env', 'staging'], { stdin: 'sk_test_1' })
    const result = await place.run(['check', '--env', 'all'])
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('schema fits, revision 1: no differences')
    expect(result.stdout).toMatch(/! {2}development +no value yet for stripeKey/)
    expect(result.stdout).toMatch(/✓ {2}staging +every value fits/)
    expect(await place.run(['check', '--env', 'all', '--complete'])).toMatchObject({ code: 5 })
    expect(await place.run(['check', '--env', 'staging', '--complete'])).toMatchObject({ code: 0 })
  })

  it('ends with 5 where a stored value would be refused, and names environment and key', async () => {
    project('breaks')
    writeDefinition(place, oneOfEach)
    await place.run(['push', '--env', 'development', '--yes'])
    await place.run(['set', 'timeoutMs', '5000', '--env', 'staging'])
    writeDefinition(place, narrower)
    const people = await place.run(['check', '--env', 'all'])
    expect(people.code).toBe(5)
    expect(people.stdout).toMatch(/✗ {2}staging +timeoutMs: /)
    expect(people.stdout).toMatch(/~ {2}public +timeoutMs/)
    const result = await place.run(['check', '--env', 'staging,development', '--json'])
    expect(result.code).toBe(5)
    expect(JSON.parse(result.stdout)).toMatchObject({
      schema: 'breaks',
      revision: 1,
      changes: [
        { key: 'timeoutMs', change: 'changed' },
        { key: 'beta', change: 'added' },
      ],
      environments: [
        { environment: 'staging', invalid: [{ key: 'timeoutMs' }] },
        { environment: 'development', invalid: [], missing: ['timeoutMs', 'stripeKey'] },
      ],
    })
  })

  it('of a schema that is not on the server says what each environment would lack', async () => {
    project('new')
    writeDefinition(place, oneOfEach)
    const result = await place.run(['check', '--env', 'all', '--json'])
    expect(JSON.parse(result.stdout)).toMatchObject({ revision: null, changes: { length: 3 } })
    expect(result.code).toBe(0)
  })

  const even = `
  public: { even: check('number', (n) => n % 2 === 0, 'must be even') },
  secret: { token: check('string', (text) => text === 'right', 'is not right') },`

  it('runs the validators of the code, so that a value that fits is one that run starts with', async () => {
    project('even')
    writeDefinition(place, even)
    await place.run(['push', '--env', 'development', '--yes'])
    const set = (key: string, value: string, environment: string) =>
      place.run(['set', key, '--env', environment, '--no-validate'], { stdin: value })
    const start = async (environment: string) =>
      (await place.run(['run', '--env', environment, '--', 'true'])).code
    await set('even', '3', 'development')
    await set('token', 'wrong', 'development')
    await set('even', '4', 'staging')
    await set('token', 'right', 'staging')
    const result = await place.run(['check', '--env', 'development,staging'])
    expect(result.code).toBe(5)
    expect(result.stdout).toMatch(/✗ {2}development +even: must be even\n/)
    expect(result.stdout).toMatch(/✗ +token: its validator refuses the value\n/)
    expect(result.stdout).toMatch(/✓ {2}staging +every value fits/)
    expect(result.stdout + result.stderr).not.toContain('wrong')
    expect([await start('development'), await start('staging')]).toEqual([5, 0])
  })

  it('set refuses what run would, stores nothing, and shows no secret', async () => {
    project('set-even')
    writeDefinition(place, even)
    await place.run(['push', '--env', 'development', '--yes'])
    const set = (key: string, stdin: string, ...flags: string[]) =>
      place.run(['set', key, '--env', 'staging', ...flags], { stdin })
    for (const flags of [[], ['--dry-run']]) {
      const odd = await set('even', '3', ...flags)
      expect(odd).toMatchObject({ code: 5, stdout: '' })
      expect(odd.stderr).toContain('even: must be even')
      expect(odd.stderr).toContain('--no-validate')
    }
    const wrong = await set('token', 'wrong')
    expect(wrong).toMatchObject({ code: 5, stdout: '' })
    expect(wrong.stderr).toContain('token: its validator refuses the value')
    expect(wrong.stderr).not.toContain('wrong')
    expect(await place.run(['get', 'even', '--env', 'staging'])).toMatchObject({ code: 1 })
    expect(await set('even', '4')).toMatchObject({ code: 0 })
    expect(await set('even', '3', '--no-validate')).toMatchObject({ code: 0 })
  })

  it('set says the rule of the definition that a secret breaks, and no part of the secret', async () => {
    project('set-short')
    writeDefinition(place, `secret: { pin: string({ minLength: 16 }) },`)
    await place.run(['push', '--env', 'staging', '--yes'])
    const short = await place.run(['set', 'pin', '--env', 'staging'], { stdin: 'tooshort' })
    expect(short).toMatchObject({ code: 5, stdout: '' })
    expect(short.stderr).toContain('pin: must have at least 16 characters')
    expect(short.stderr).not.toContain('tooshort')
    // It would be refused by the server.
    expect(short.stderr).not.toContain('--no-validate')
  })

  it('checks a default as the push will make it, not as it is stored', async () => {
    project('defaults')
    const declare = (most: number, value: number) =>
      writeDefinition(place, `public: { n: number({ max: ${most}, default: ${value} }) },`)
    declare(9, 9)
    await place.run(['push', '--env', 'development', '--yes'])
    declare(5, 5)
    const result = await place.run(['check', '--env', 'development'])
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toMatch(/✓ {2}development +every value fits/)
  })

  it('says which values the token may not read, and of them not that they fit', async () => {
    project('viewed')
    writeDefinition(place, even)
    await place.run(['push', '--env', 'development', '--yes'])
    await place.run(['set', 'even', '4', '--env', 'staging'])
    await place.run(['set', 'token', '--env', 'staging'], { stdin: 'right' })
    const env = server.asOperator
    const result = await place.run(['check', '--env', 'staging'], { env })
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toMatch(/! {2}staging +not readable with this token: token\n/)
  })

  it.each(['check', 'run'])(
    '%s ends a validator that never answers, and names its key',
    async (command) => {
      const schema = { slow: { type: 'string', tier: 'public', default: 'a' } }
      await server.call('POST', '/config-schemas', { name: `late-${command}`, schema })
      project(`late-${command}`)
      writeDefinition(place, `public: { slow: check('string', () => new Promise(() => {})) },`)
      const args = command === 'run' ? ['--', 'true'] : []
      const result = await place.run([command, '--env', 'development', ...args])
      expect(result).toMatchObject({ code: 5, stdout: '' })
      expect(result.stderr).toMatch(
        /slow \(public\): has a validator that did not answer within 5 s/,
      )
    },
  )

  it('warns of keys that run and pull leave out', async () => {
    writeDefinition(
      place,
      `public: { path: string({ default: 'a' }) }, secret: { viteToken: string() },`,
    )
    const result = await place.run(['check'])
    expect(result).toMatchObject({ code: 0 })
    expect(result.stderr).toContain('path: run and pull leave it out. PATH could run code')
    expect(result.stderr).toContain('viteToken: run and pull leave it out. The key is a secret')
  })

  it.each([
    { args: ['--env', 'prodution'], code: 1, words: 'production' },
    { args: ['--env', 'all'], code: 5, words: 'featureFlags', tiers: 'featureFlags: { a: 1 }' },
    { args: ['--env', 'all', '--server', 'http://127.0.0.1:9'], code: 7, words: 'Cannot reach' },
  ])('says what is wrong: $words', async ({ args, code, words, tiers = oneOfEach }) => {
    writeDefinition(place, tiers)
    const result = await place.run(['check', ...args])
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(words)
  })

  it('without --env asks nobody', async () => {
    writeDefinition(place, oneOfEach)
    const env = { SIGNALBOX_URL: 'http://127.0.0.1:9', SIGNALBOX_TOKEN: undefined }
    expect(await place.run(['check'], { env })).toMatchObject({ code: 0 })
  })
})

describe('a server key that only reads', () => {
  it('is enough for init, check, diff, run, pull and get, and for no push', async () => {
    project('reads')
    writeDefinition(place, oneOfEach)
    await place.run(['push', '--env', 'development', '--yes'])
    await place.run(['set', 'stripeKey', '--env', 'development'], { stdin: 'sk_test_1' })
    const key = { name: 'reads', kind: 'm2m', access: 'read' }
    const { secret } = await server.call<{ secret: string }>('POST', '/api-keys', key)
    const env = { SIGNALBOX_TOKEN: secret, SIGNALBOX_CONFIG_URL: server.configUrl }
    const at = ['--env', 'development']
    const print = ['node', '-p', 'process.env.STRIPE_KEY']
    const reads = [
      ['init', '--schema', 'reads', '--overwrite', '--yes'],
      ['check', ...at],
      ['diff', ...at],
      ['run', ...at, '--', ...print],
      ['pull', ...at, '--yes'],
      ['get', ...at],
    ]
    const codes: (readonly [command: string | undefined, code: number | null, stderr: string])[] =
      []
    for (const args of reads) {
      const { code, stderr } = await place.run(args, { env })
      codes.push([args[0], code, code === 0 ? '' : stderr])
    }
    expect(codes).toEqual(reads.map(([command]) => [command, 0, '']))
    writeDefinition(place, narrower)
    const push = await place.run(['push', ...at, '--yes', '--allow-breaking'], { env })
    expect([push.code === 0, push.stderr]).toEqual([false, expect.stringContaining('only reads')])
    expect((await place.run(['check', ...at], { env })).stdout).toContain('beta')
  })
})
