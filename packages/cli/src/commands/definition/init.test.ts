import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runInTerminal } from '../../testing/run-in-terminal.ts'
import { hasTerminal } from '../../testing/type-in-terminal.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const read = (name: string) => readFileSync(join(place.directory, name), 'utf8')
const definition = 'signalbox.config.ts'
const create = (name: string, schema: object) =>
  server.call('POST', '/config-schemas', { name, schema })
const init = (...args: string[]) => place.run(['init', ...args])

const nasty = `'it''s "quoted" \\ \${x} \u2028 */ </script>`
const everyKind = {
  apiUrl: {
    type: 'string',
    tier: 'public',
    constraints: { format: 'uri' },
    default: 'http://a.example',
  },
  contact: { type: 'string', tier: 'public', required: false, constraints: { format: 'email' } },
  name: {
    type: 'string',
    tier: 'public',
    description: nasty,
    constraints: { minLength: 1, maxLength: 9 },
  },
  prefixed: { type: 'string', tier: 'secret', constraints: { pattern: '^sk_' } },
  pattern: { type: 'string', tier: 'public', constraints: { pattern: "^[a-z'\\\\]{2}$" } },
  theme: {
    type: 'string',
    tier: 'public',
    constraints: { enum: ['light', "d'ark"] },
    default: 'light',
  },
  count: { type: 'number', tier: 'public', constraints: { multipleOf: 1, minimum: 1, maximum: 5 } },
  ratio: { type: 'number', tier: 'public', constraints: { exclusiveMinimum: 0 }, default: 0.5 },
  half: { type: 'number', tier: 'public', constraints: { multipleOf: 0.5 }, default: 1.5 },
  when: { type: 'string', tier: 'public', constraints: { format: 'date' } },
  'dotted.key-name': { type: 'boolean', tier: 'public', required: false },
  kept: {
    type: 'string',
    tier: 'secret',
    constraints: { minLength: 3 },
    default: 'sekret-default',
  },
  beta: {
    type: 'boolean',
    tier: 'featureFlags',
    default: false,
    description: 'New',
    expectedToDiffer: true,
  },
}

describe('init for a schema that the server has', () => {
  it('writes a definition in which a push finds no difference', async () => {
    await create('every-kind', everyKind)
    const result = await init('--schema', 'every-kind')
    expect(result).toMatchObject({ code: 0 })
    expect(result.stderr).toContain('a copy of every-kind revision 1')
    expect(result.stderr).not.toContain('sessionSecret')
    expect(result.stderr).not.toContain('signalbox push')
    expect(result.stderr).toContain('run --env development -- node server.js')
    // A push keeps what a definition does not say, so the difference would not show.
    expect(read(definition)).toContain('expectedToDiffer: true')
    const diff = await place.run(['diff', '--env', 'development', '--json'])
    expect(JSON.parse(diff.stdout)).toMatchObject({ revision: 1, changes: [] })
  })

  it('keeps the default of a secret, which no file holds, through the pushes of that file', async () => {
    await create('secret-default', { kept: everyKind.kept, beta: everyKind.beta })
    await init('--schema', 'secret-default')
    expect(read(definition)).toContain('kept: withStoredDefault(string({ minLength: 3 })),')
    expect(read(definition)).not.toContain('sekret-default')
    const changed = read(definition).replace('default: false', 'default: true')
    writeFileSync(join(place.directory, definition), changed)
    expect(await place.run(['push', '--env', 'development', '--yes'])).toMatchObject({ code: 0 })
    const got = await place.run(['get', 'kept', '--env', 'development', '--reveal'])
    expect(got).toMatchObject({ code: 0, stdout: 'sekret-default\n' })
  })

  it('says beside a key which of its rules it could not write', async () => {
    const constraints = { anyOf: [{ minLength: 3 }, { pattern: '^a' }] }
    await create('rules', { key: { type: 'string', tier: 'public', constraints, partial: true } })
    expect(await init('--schema', 'rules')).toMatchObject({ code: 0 })
    expect(read(definition)).toContain('more than the server can')
    expect(read(definition)).toContain('have no validator here')
    expect(await place.run(['check'])).toMatchObject({ code: 0 })
  })
})

describe('init', () => {
  it('control: writes the example for a schema that is new', async () => {
    const result = await init('--schema', 'brand-new', '--env', 'staging')
    expect(result).toMatchObject({ code: 0 })
    expect(read(definition)).toContain('sessionSecret')
    expect(result.stderr).toContain('signalbox push --env staging')
  })

  it('refuses an environment that the server does not have, and writes nothing', async () => {
    const result = await init('--schema', 'brand-new', '--env', 'stagin')
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain('Did you mean "staging"?')
    expect(() => read(definition)).toThrow('ENOENT')
  })

  it('refuses another schema than that of the files that are there, and names the way', async () => {
    await create('one', { a: everyKind.beta })
    await create('two', { b: everyKind.beta })
    await init('--schema', 'one')
    const files = () => [read('.signalbox.json'), read(definition)]
    const before = files()
    const refused = await init('--schema', 'two', '--yes')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('belong to the schema one')
    expect(refused.stderr).not.toContain('Next:')
    expect(files()).toEqual(before)
    expect(await init('--yes')).toMatchObject({ code: 0 })
    expect(files()).toEqual(before)
    expect(await init('--schema', 'two', '--overwrite')).toMatchObject({ code: 0 })
    expect(files()).toEqual([
      expect.stringContaining('"schema": "two"'),
      expect.stringContaining('b: boolean('),
    ])
  })

  it.runIf(hasTerminal)(
    'asks a person once before it replaces the files of another schema',
    async () => {
      writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema: 'one' }))
      const args = ['init', '--schema', 'other', '--env', 'development']
      const question = 'Replace them?'
      expect(await runInTerminal(place, args, [[question, 'n']])).toMatchObject({ code: 3 })
      expect(read('.signalbox.json')).toContain('one')
      expect(await runInTerminal(place, args, [[question, 'y']])).toMatchObject({ code: 0 })
      expect(read('.signalbox.json')).toContain('other')
    },
  )
})
