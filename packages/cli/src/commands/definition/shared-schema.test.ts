import { beforeEach, describe, expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDefinition } from '../../testing/definition-files.ts'
import { runInTerminal } from '../../testing/run-in-terminal.ts'
import { hasTerminal } from '../../testing/type-in-terminal.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()
let schema: string
let count = 0

beforeEach(async () => {
  schema = `web${(count += 1)}`
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema }))
  declare('retries: number({ default: 3 }), newName: string({ default: "a" }),')
  await push()
})

function declare(keys: string): void {
  writeDefinition(place, `public: { ${keys} },`)
}

const push = (...args: string[]) => place.run(['push', '--env', 'development', ...args])
const set = (environment: string, value: string) =>
  place.run(['set', 'retries', value, '--env', environment, '--yes'])

async function revision(): Promise<number> {
  return (await server.call<{ revision: number }>('GET', `/config-schemas/${schema}`)).revision
}

const anotherDefault = 'retries: number({ default: 4 }), newName: string({ default: "a" }),'
const narrower = 'retries: number({ default: 3, max: 5 }), newName: string({ default: "a" }),'
const withoutRetries = 'newName: string({ default: "a" }),'

describe('a push that names development and changes what production reads', () => {
  it('is not done without a terminal, and says why', async () => {
    declare(anotherDefault)
    const refused = await push()
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'Environments share the schema: these changes also apply to production',
    )
    expect(refused.stderr).toContain('--yes')
    expect(await revision()).toBe(1)
    expect(await push('--yes')).toMatchObject({ code: 0 })
    expect(await revision()).toBe(2)
  })

  it('is not done by --allow-breaking alone', async () => {
    declare(narrower)
    expect(await push('--allow-breaking')).toMatchObject({ code: 2 })
    expect(await revision()).toBe(1)
  })

  it('names what may break readers, and wants --allow-breaking for it', async () => {
    declare(narrower)
    const refused = await push('--yes')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('retries becomes narrower')
    expect(await revision()).toBe(1)
    expect(await push('--yes', '--allow-breaking')).toMatchObject({ code: 0 })
  })

  it.runIf(hasTerminal)('wants the name of production typed on a terminal', async () => {
    declare(anotherDefault)
    const args = ['push', '--env', 'development']
    const question = 'Type "production" to confirm'
    const wrong = await runInTerminal(place, args, [[question, 'development\r']])
    expect(wrong.code).toBe(3)
    expect(await revision()).toBe(1)
    const right = await runInTerminal(place, args, [[question, 'production\r']])
    expect(right.code).toBe(0)
    expect(await revision()).toBe(2)
  })

  it('is done unasked when it only adds keys, with or without a value', async () => {
    declare(`${anotherDefault.replace('4', '3')} apiKey: string({ minLength: 3 }),`)
    expect(await push()).toMatchObject({ code: 0 })
  })
})

describe('a push in an organization without production', () => {
  it('asks nothing and may narrow, since nobody but developers reads it', async () => {
    const { id } = await server.call<{ id: string }>('GET', '/environments/production')
    await server.call('PATCH', `/environments/${id}`, { production: false })
    declare(narrower)
    expect(await push()).toMatchObject({ code: 0 })
    await server.call('PATCH', `/environments/${id}`, { production: true })
  })
})

describe('a push that stored values of another environment refuse', () => {
  const advice = 'To push anyway, repeat with --allow-breaking.'

  it('is refused before it is sent, by environment and key, in the words of the command line', async () => {
    await set('production', '9')
    declare(narrower)
    const refused = await push('--yes')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toMatch(/production: retries: Use a number of at most 5/)
    expect(refused.stderr).toContain(advice)
    expect(refused.stderr).not.toContain('"force"')
    const dry = await push('--dry-run', '--json')
    expect(dry.code).toBe(5)
    expect(await revision()).toBe(1)
  })

  it('is refused, too, where the validator of the code alone refuses them', async () => {
    const even = `retries: check('number', (n) => n % 2 === 0, 'must be even'),`
    await set('staging', '9')
    await set('production', '8')
    declare(`${even} ${withoutRetries}`)
    const refused = await push('--yes')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('staging: retries: must be even')
    expect(refused.stderr).not.toContain('production: retries')
    expect(refused.stderr).toContain(advice)
    expect(await revision()).toBe(1)
    expect(await push('--yes', '--allow-breaking')).toMatchObject({ code: 0 })
  })

  it('names values whose key goes, and brings them back to production only when told to', async () => {
    await set('production', '9')
    declare(withoutRetries)
    const refused = await push('--prune', '--yes')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain(
      'production: retries: Applications could no longer read its value',
    )
    expect(refused.stderr).toContain('Without --prune the key stays')
    expect(refused.stderr).not.toContain('with its values')
    expect(await push('--prune', '--yes', '--allow-breaking')).toMatchObject({ code: 0 })
    declare('retries: number({ default: 3 }), newName: string({ default: "a" }),')
    const get = async () =>
      (await place.run(['get', 'retries', '--env', 'production'])).stdout.trim()
    for (const flags of [['--yes'], ['--dry-run'], ['--yes', '--allow-breaking']]) {
      const unsaid = await push(...flags)
      expect(unsaid.code).toBe(5)
      expect(unsaid.stdout).toContain('production: retries: 9 comes back')
      expect(unsaid.stderr).toContain('--restore retries')
    }
    // It changes production, so it is asked as a change of production.
    const asked = await push('--restore', 'retries')
    expect(asked.code).toBe(2)
    expect(asked.stderr).toContain('apply to production')
    expect(await push('--restore', 'retries', '--yes')).toMatchObject({ code: 0 })
    expect(await get()).toBe('9')
    declare(withoutRetries)
    await push('--prune', '--yes', '--allow-breaking')
    declare('retries: number({ default: 3 }), newName: string({ default: "a" }),')
    expect(await push('--forget', 'retries')).toMatchObject({ code: 0 })
    expect(await get()).toBe('3')
  })

  it('keeps the secret default of a key that it does not declare, and deletes one on purpose alone', async () => {
    const token = 'string({ default: "sekret-default" })'
    writeDefinition(
      place,
      `public: { ${withoutRetries} }, secret: { kept: ${token}, ended: ${token} },`,
    )
    await push('--yes', '--prune', '--allow-breaking')
    writeDefinition(
      place,
      `public: { ${withoutRetries} }, secret: { ended: string({ optional: true }) },`,
    )
    const refused = await push('--yes')
    expect(refused.stderr).toContain('ended loses its default')
    expect(await push('--yes', '--allow-breaking')).toMatchObject({ code: 0 })
    const read = await server.call<{ schema: object }>('GET', `/config-schemas/${schema}`)
    expect(read.schema).toMatchObject({ kept: { hasDefault: true }, ended: { hasDefault: false } })
  })

  it.runIf(hasTerminal)(
    'is refused in the same words when the value comes after the question',
    async () => {
      const target = await server.call<{ id: string }>('GET', `/config-schemas/${schema}`)
      const { id } = await server.call<{ id: string }>('GET', '/environments/production')
      const setLate = async () => {
        const values = { retries: 9 }
        const body = { schemaId: target.id, environmentId: id, values }
        await server.call('PUT', '/config-values', body)
        return '\r'
      }
      await server.call('PATCH', `/environments/${id}`, { production: false })
      declare(narrower)
      const refused = await runInTerminal(
        place,
        ['push', '--env', 'development'],
        [['Push these changes to development?', setLate]],
      )
      await server.call('PATCH', `/environments/${id}`, { production: true })
      expect(refused.code).toBe(5)
      expect(refused.screen).toMatch(/production: retries: Use a number of at most 5/)
      expect(refused.screen).toContain(advice)
      expect(refused.screen).not.toContain('"force"')
      expect(await revision()).toBe(1)
    },
  )
})

describe('a value that production inherits', () => {
  it('is not changed in its parent without a terminal unless that is meant', async () => {
    const staging = await server.call<{ id: string }>('GET', '/environments/staging')
    const { id } = await server.call<{ id: string }>('GET', '/environments/production')
    await server.call('PATCH', `/environments/${id}`, { parentId: staging.id })
    const change = ['set', 'retries', '7', '--env', 'staging']
    const refused = await place.run(change)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'production is a production environment that inherits from staging',
    )
    expect(await place.run([...change, '--yes'])).toMatchObject({ code: 0 })
    await server.call('PATCH', `/environments/${id}`, { parentId: null })
    expect(await place.run(change)).toMatchObject({ code: 0 })
  })
})
