import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { type RealServer, startRealServer } from '../../testing/real-server.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'

let server: RealServer
let place: TestDirectory

beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.remove())
beforeEach(() => {
  place = createTestDirectory(server.url, server.token)
})
afterEach(() => place.remove())

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
