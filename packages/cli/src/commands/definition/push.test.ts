import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'
import { type StandIn, startStandIn } from '../../testing/stand-in.ts'

let server: StandIn
let place: TestDirectory

beforeEach(async () => {
  server = await startStandIn()
  place = createTestDirectory(server.url)
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema: 'web' }))
})
afterEach(async () => {
  place.remove()
  await server.close()
})

const push = (...args: string[]) => place.run(['push', '--env', 'development', ...args])
const meant = ['--allow-breaking', '--yes']
const wrote = () => server.seen.filter(({ method }) => method === 'PUT' || method === 'POST').length

describe('push', () => {
  it('creates the schema, and reports the counts and what is new', async () => {
    writeDefinition(place, oneOfEach)
    const result = await push()
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('public 1 · secret 1 · feature flags 1')
    expect(result.stdout).toMatch(/\+ +public +timeoutMs +number, > 0, integer, default 3000/)
    expect(result.stdout).toContain('no value yet')
    expect(server.state.schemas[0]).toMatchObject({
      name: 'web',
      schema: { stripeKey: { type: 'string', tier: 'secret', constraints: { pattern: '^sk_' } } },
    })
  })

  it('of 1,200 keys shows 20 and the number of the others, as diff does, unless --verbose or --json asks for all', async () => {
    const names = Array.from({ length: 1_200 }, (_, at) => `key${at}`)
    writeDefinition(place, `public: { ${names.map((name) => `${name}: number(),`).join('\n')} },`)
    const short = await push('--dry-run')
    expect(short.stdout.match(/^ +\+ /gm)).toHaveLength(20)
    expect(short.stdout).toContain('    … and 1180 more added (--verbose shows all)\n')
    expect(short.stdout).toContain('no value yet for key0, ')
    expect(short.stdout.split('\n').length).toBeLessThan(30)
    const diff = await place.run(['diff', '--env', 'development'])
    expect(diff.stdout.match(/^ +\+ /gm)).toHaveLength(20)
    const whole = await push('--dry-run', '--verbose')
    expect(whole.stdout.match(/^ +\+ /gm)).toHaveLength(1_200)
    const document = JSON.parse((await push('--dry-run', '--json')).stdout)
    expect(document).toMatchObject({ changes: { length: 1_200 }, report: [{ missing: names }] })
  })

  it('pushes nothing when nothing changed', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    const before = wrote()
    const result = await push()
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toContain('Nothing to push')
    expect(wrote()).toBe(before)
  })

  it('--dry-run --json says what would happen and writes nothing', async () => {
    writeDefinition(place, oneOfEach)
    const result = await push('--dry-run', '--json')
    expect(JSON.parse(result.stdout)).toMatchObject({
      dryRun: true,
      created: true,
      counts: { public: 1, secret: 1, featureFlags: 1 },
    })
    expect(wrote()).toBe(0)
  })

  it('keeps keys that are no longer declared, and removes them only with --prune', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    writeDefinition(place, oneOfEach.replace(/timeoutMs.*/, "name: string({ default: 'x' }),"))
    const kept = await push()
    expect(kept.stdout).toContain('kept (use --prune to remove)')
    expect(Object.keys(server.state.schemas[0]?.schema ?? {})).toContain('timeoutMs')
    expect(await push('--prune', ...meant)).toMatchObject({ code: 0 })
    expect(Object.keys(server.state.schemas[0]?.schema ?? {})).not.toContain('timeoutMs')
  })

  it('leaves the mark of a key that the dashboard declares, until the definition has it', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    const [stored] = server.state.schemas
    if (stored === undefined) throw new Error('Nothing was pushed')
    const added = { type: 'string', tier: 'public', required: false, hasDefault: false } as const
    stored.schema = { ...stored.schema, greeting: { ...added, declaredIn: 'dashboard' } }
    writeDefinition(place, oneOfEach.replace('timeoutMs', 'delayMs'))
    await push(...meant)
    expect(server.state.schemas[0]?.schema['greeting']).toMatchObject({ declaredIn: 'dashboard' })
    writeDefinition(
      place,
      oneOfEach.replace(/timeoutMs.*/, "$& greeting: string({ default: '' }),"),
    )
    const pushed = await push(...meant)
    expect(pushed.stdout).toContain('declared in code from now on')
    expect(server.state.schemas[0]?.schema['greeting']).not.toHaveProperty('declaredIn')
  })

  it('sends the notes of a key, and leaves those that the definition does not say', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    const [stored] = server.state.schemas
    const flag = stored?.schema['newCheckout']
    if (stored === undefined || flag === undefined) throw new Error('Nothing was pushed')
    stored.schema = { ...stored.schema, newCheckout: { ...flag, owner: 'Growth', tags: ['beta'] } }
    const silent = await push()
    expect(silent.stdout).not.toContain('newCheckout')
    const noted = oneOfEach.replace(
      'boolean({',
      "boolean({ owner: 'Checkout', expires: '2027-01-31', killSwitch: true, expectedToDiffer: true,",
    )
    writeDefinition(place, noted)
    const pushed = await push()
    expect(pushed).toMatchObject({ code: 0 })
    expect(pushed.stdout).toContain('owner Growth → Checkout')
    expect(pushed.stdout).toContain('end date none → 2027-01-31')
    expect(pushed.stdout).toContain('kill switch none → yes')
    expect(pushed.stdout).toContain('expected to differ none → yes')
    expect(server.state.schemas[0]?.schema['newCheckout']).toMatchObject({
      owner: 'Checkout',
      expires: '2027-01-31',
      killSwitch: true,
      expectedToDiffer: true,
    })
    writeDefinition(place, noted.replace('2027-01-31', 'soon'))
    const refused = await push()
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('2027-01-31')
  })

  it('refuses to break stored values until that is meant', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    await place.run(['set', 'timeoutMs', '5', '--env', 'development'])
    writeDefinition(
      place,
      oneOfEach.replace(/timeoutMs.*/, "timeoutMs: string({ default: '1s' }),"),
    )
    const refused = await push()
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('development: timeoutMs')
    expect(refused.stderr).toContain('--allow-breaking')
    expect(await push(...meant)).toMatchObject({ code: 0 })
  })

  it('to production without a terminal needs --yes', async () => {
    writeDefinition(place, oneOfEach)
    const refused = await place.run(['push', '--env', 'production'])
    expect(refused.code).toBe(2)
    expect(server.state.schemas).toEqual([])
    expect(await place.run(['push', '--env', 'production', '--yes'])).toMatchObject({ code: 0 })
  })

  it('is exit 6 when the schema changed meanwhile', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    writeDefinition(place, oneOfEach.replace('3000', '4000'))
    server.failures.push({ status: 412, code: 'revision_mismatch', method: 'PUT' })
    const result = await push('--yes')
    expect(result.code).toBe(6)
    expect(server.seen.findLast(({ method }) => method === 'PUT')?.headers['if-match']).toBe('"1"')
  })

  it('refuses keys that would become the same variable, as check and diff do', async () => {
    writeDefinition(
      place,
      "public: { 'api.url': string({ default: 'a' }), apiUrl: string({ default: 'b' }) },",
    )
    for (const args of [
      ['check'],
      ['push', '--env', 'development'],
      ['diff', '--env', 'development'],
    ]) {
      const result = await place.run(args)
      expect(result.code).toBe(5)
      expect(result.stderr).toContain('API_URL: api.url, apiUrl')
    }
  })

  it('never shows the default of a secret', async () => {
    writeDefinition(place, "secret: { apiSecret: string({ default: 'do-not-show-me' }) },")
    const pushed = await push('--verbose')
    const json = await push('--json', '--dry-run')
    expect([pushed.code, json.code]).toEqual([0, 0])
    for (const { stdout, stderr } of [pushed, json])
      expect(stdout + stderr).not.toContain('do-not-show-me')
  })
})

describe('check', () => {
  it('works without a server and without a token', async () => {
    writeDefinition(place, oneOfEach)
    await server.close()
    const result = await place.run(['check'], { env: { SIGNALBOX_TOKEN: undefined } })
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toContain('3 keys, 0 problems')
    server = await startStandIn()
  })

  it('names the line of a fault', async () => {
    writeDefinition(place, "public: {\n  good: string({ default: 'x' }),\n  bad: 42,\n},")
    const result = await place.run(['check'])
    expect(result.code).toBe(5)
    expect(result.stderr).toMatch(/signalbox\.config\.ts:5 .*"bad"/)
  })

  it('names the line at which the file itself fails', async () => {
    writeFileSync(join(place.directory, 'signalbox.config.ts'), '\n\nthrow new Error("no luck")\n')
    const result = await place.run(['check'])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('signalbox.config.ts:3')
    expect(result.stderr).toContain('no luck')
  })

  it('says what to install when an import is missing', async () => {
    writeFileSync(join(place.directory, 'signalbox.config.ts'), "import 'not-installed/deep'\n")
    const result = await place.run(['check'])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('npm install not-installed')
  })

  it('says that a path is wrong when a file is missing, and nothing of installing', async () => {
    for (const path of ['./nope.js', '/nope.js']) {
      writeFileSync(join(place.directory, 'signalbox.config.ts'), `import '${path}'\n`)
      const result = await place.run(['check'])
      expect(result.code).toBe(5)
      expect(result.stderr).toContain('Correct the path')
      expect(result.stderr).not.toContain('npm install')
    }
  })

  it('counts one key as one', async () => {
    writeDefinition(place, "public: { apiUrl: string({ default: 'a' }) },")
    expect((await place.run(['check'])).stdout).toContain('1 key, 0 problems')
  })

  it('takes TypeScript that Node does not, and what the file prints does not spoil --json', async () => {
    mkdirSync(join(place.directory, 'parts'))
    writeFileSync(
      join(place.directory, 'parts/limits.ts'),
      'export enum Limit { Timeout = 3000 }\n',
    )
    writeFileSync(
      join(place.directory, 'signalbox.config.ts'),
      `import { defineConfig, number } from '@signalbox/config'
import { Limit } from './parts/limits'
console.log('hello')
export default defineConfig({ public: { timeoutMs: number({ default: Limit.Timeout }) } })
`,
    )
    const result = await place.run(['check', '--json'], { isProcess: true })
    expect(result.code).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ counts: { public: 1 } })
  })

  it('takes the library that comes with it, in a project that is not installed yet', async () => {
    writeDefinition(place, oneOfEach)
    place.uninstall()
    const { code, stdout, stderr } = await place.run(['check'])
    // On a busy machine the command says that it is still loading.
    const warnings = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('… '))
    expect({ code, warnings }).toEqual({ code: 0, warnings: [] })
    expect(stdout).toContain('3 keys, 0 problems')
  })

  it.each([
    ['signalbox.config.ts', '{ "type": "commonjs" }'],
    ['signalbox.config.js', '{ "type": "commonjs" }'],
    ['signalbox.config.mts', '{ "type": "commonjs" }'],
    ['signalbox.config.ts', '{ "dependencies": {} }'],
    ['signalbox.config.js', '{ "dependencies": {} }'],
  ])(
    'takes %s in a package with %s, which npm makes, without a warning of Node',
    async (name, manifest) => {
      writeFileSync(join(place.directory, 'package.json'), manifest)
      writeFileSync(
        join(place.directory, name),
        `import { defineConfig, number } from '@signalbox/config'
export default defineConfig({ public: { timeoutMs: number({ default: 3000 }) } })
`,
      )
      const { code, stdout, stderr } = await place.run(['check'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('1 key, 0 problems')
    },
  )
})

describe('diff', () => {
  it('is exit 8 with --exit-code until the definition is pushed', async () => {
    writeDefinition(place, oneOfEach)
    const args = ['diff', '--env', 'development', '--exit-code']
    expect(await place.run(args)).toMatchObject({ code: 8 })
    await push()
    expect(await place.run(args)).toMatchObject({ code: 0 })
  })
})

describe('init', () => {
  const read = (name: string) => readFileSync(join(place.directory, name), 'utf8')

  it('writes a definition that can be pushed as it is, a project file and an ignored env file', async () => {
    const fresh = createTestDirectory(server.url)
    const result = await fresh.run(['init', '--schema', 'shop'])
    expect(result.code).toBe(0)
    const file = (name: string) => readFileSync(join(fresh.directory, name), 'utf8')
    expect(JSON.parse(file('.signalbox.json'))).toEqual({
      server: server.url,
      organization: 'acme',
      schema: 'shop',
      environment: 'development',
    })
    expect(file('.gitignore')).toContain('.env.local')
    expect(file('.env.local')).toContain('# >>> signalbox')
    expect(statSync(join(fresh.directory, '.env.local')).mode & 0o777).toBe(0o600)
    const pushed = await fresh.run(['push'])
    expect(pushed.code).toBe(0)
    expect(pushed.stdout).toContain('public 3 · secret 1 · feature flags 1')
    fresh.remove()
  })

  it('keeps files that exist, also with --yes', async () => {
    writeDefinition(place, oneOfEach)
    const before = read('signalbox.config.ts')
    const result = await place.run(['init', '--yes'])
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('signalbox.config.ts  already exists, unchanged')
    expect(read('signalbox.config.ts')).toBe(before)
    expect(JSON.parse(read('.signalbox.json'))).toEqual({ schema: 'web' })
  })

  it('works without a server', async () => {
    await server.close()
    const fresh = createTestDirectory(server.url)
    expect(await fresh.run(['init'])).toMatchObject({ code: 0 })
    fresh.remove()
    server = await startStandIn()
  })
})

describe('run with a definition', () => {
  it('does not start the program on values the code refuses, and does not repeat them', async () => {
    writeDefinition(place, oneOfEach)
    await push()
    const set = ['set', 'stripeKey', '--env', 'development', '--no-validate']
    await place.run(set, { stdin: 'wrong-prefix' })
    const args = ['--env', 'development', '--', 'node', '-e', 'console.log("started")']
    const refused = await place.run(['run', ...args])
    expect(refused).toMatchObject({ code: 5, stdout: '' })
    expect(refused.stderr).toContain('stripeKey')
    expect(refused.stderr).not.toContain('wrong-prefix')
    expect((await place.run(['run', '--no-validate', ...args])).stdout).toContain('started')
  })
})
