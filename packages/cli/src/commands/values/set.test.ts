import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { type RealServer, openRealServer } from '../../testing/real-server.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'

vi.setConfig({ testTimeout: 90_000 })

let server: RealServer
let place: TestDirectory
const development = ['--env', 'development']

beforeAll(async () => {
  server = await openRealServer()
  place = createTestDirectory(server.url, server.token)
  writeFileSync(join(place.directory, '.signalbox.json'), '{ "schema": "set" }')
  writeDefinition(place, oneOfEach.replace("prefix: 'sk_'", ''))
  await place.run(['push', ...development, '--yes'])
})
afterAll(() => place.remove())

const pem = '-----BEGIN CERTIFICATE-----\r\nMIIB\r\n-----END CERTIFICATE-----\r\n'
const set = (...args: string[]) =>
  place.run(['set', 'stripeKey', ...development, ...args], { stdin: pem })
const stored = async () => {
  const print = ['-p', 'JSON.stringify(process.env.STRIPE_KEY)']
  const { stdout } = await place.run(['run', ...development, '--', process.execPath, ...print])
  return JSON.parse(stdout) as unknown
}

describe('a value with the line ends of Windows', () => {
  it('is not stored unasked, and both ways are named', async () => {
    const { code, stderr } = await set()
    expect(code).toBe(2)
    expect(stderr).toContain('--crlf lf')
    expect(stderr).toContain('--crlf keep')
    expect(stderr).not.toContain('MIIB')
  })

  it('is converted, or kept byte by byte, as the person says', async () => {
    expect(await set('--crlf', 'lf')).toMatchObject({ code: 0 })
    expect(await stored()).toBe(pem.replaceAll('\r\n', '\n').trim())
    expect(await set('--crlf', 'keep')).toMatchObject({ code: 0 })
    expect(await stored()).toBe(pem.trim())
  })
})

it('a fraction in the place of a whole number is refused in these words', async () => {
  const { code, stderr } = await place.run([
    'set',
    'timeoutMs',
    '1.5',
    '--no-validate',
    ...development,
  ])
  expect(code).toBe(5)
  expect(stderr).toContain('Use a whole number.')
})

it('an empty input for a secret is refused with what works for a secret', async () => {
  const { code, stderr } = await place.run(['set', 'stripeKey', ...development], { stdin: '' })
  expect(code).toBe(2)
  expect(stderr).toContain('signalbox set stripeKey --env development < file')
  expect(stderr).not.toContain("''")
})

describe('a flag that is turned off and on', () => {
  const get = async () => {
    const { stdout } = await place.run(['get', ...development, '--json'])
    const { values } = JSON.parse(stdout) as { values: Record<string, { rules?: unknown }> }
    return values['newCheckout']
  }

  it('is off at once and says what waits; on shows who gets it, and brings it back', async () => {
    const turn = (...args: string[]) => place.run(['turn', ...args, ...development])
    await place.run(['set', 'newCheckout', 'true', ...development])
    const before = await get()
    const off = await turn('off', 'newCheckout')
    expect(off).toMatchObject({ code: 0 })
    expect(off.stdout).toContain('on → off (on waits)')
    expect(await get()).toMatchObject({ value: false })
    const alone = await place.run(['set', 'newCheckout', 'true', ...development])
    expect(alone.code).toBe(5)
    expect(alone.stderr).toContain('signalbox turn on newCheckout')
    const shown = await turn('on', 'newCheckout', '--dry-run')
    expect(shown.stdout).toContain('off (on waits) → on')
    expect(await get()).toMatchObject({ value: false })
    expect(await turn('on', 'newCheckout', '--yes')).toMatchObject({ code: 0 })
    const { updatedAt: _, ...after } = { updatedAt: '', ...(await get()) }
    expect(before).toMatchObject(after)
    expect((await turn('on', 'newCheckout', '--yes')).stderr).toContain('is not turned off')
    await place.run(['unset', 'newCheckout', ...development])
  })
})

describe('an import from another product', () => {
  const flag = (parts: object) => ({
    on: true,
    salt: 'abc',
    variations: [true, false],
    offVariation: 1,
    fallthrough: { variation: 1 },
    ...parts,
  })
  const share = {
    variations: [
      { variation: 0, weight: 10_000 },
      { variation: 1, weight: 90_000 },
    ],
  }
  const flags = {
    checkout: flag({ fallthrough: { rollout: share } }),
    banner: flag({ variations: ['blue', 'red'], fallthrough: { rollout: share } }),
    shapes: flag({ variations: [{ sides: 3 }, 'none'], fallthrough: { rollout: share } }),
  }
  const run = (...args: string[]) =>
    place.run([
      'import',
      'launchdarkly',
      'export.json',
      '--schema',
      'shop',
      ...development,
      ...args,
    ])
  const write = (document: unknown) =>
    writeFileSync(
      join(place.directory, 'export.json'),
      typeof document === 'string' ? document : JSON.stringify(document),
    )

  it('stores nothing while something HIGH is lost, until its code is accepted', async () => {
    write({ flags })
    const held = await run('--yes')
    expect(held.code).toBe(8)
    expect(held.stdout).toContain('HIGH LD-T020')
    expect(held.stderr).toContain('--accept LD-T020')
    const planned = await run('--dry-run', '--accept', 'LD-T020', '--json')
    expect(planned.code).toBe(0)
    expect(JSON.parse(planned.stdout)).toMatchObject({
      schemaId: null,
      dryRun: true,
      counts: { exact: 2, leftOut: 1, create: 2 },
    })
    const done = await run('--accept', 'LD-T020', '--yes')
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toContain('checkout  exact, new')
    const again = await run('--accept', 'LD-T020', '--yes')
    expect(again.stdout).toContain('checkout  exact, unchanged')
    const rules = await place.run(['rules', 'banner', '--schema', 'shop', ...development])
    expect(rules.stdout).toContain('Serves blue')
    expect(rules.stdout).toContain('Everyone else: "red"')
  })

  it('of a source that there is not names those that there are', async () => {
    const { code, stderr } = await place.run(['import', 'lanchdarkly', 'flags.json'])
    expect(code).toBe(2)
    expect(stderr).toContain('There is no source "lanchdarkly".')
    expect(stderr).toContain('launchdarkly, unleash')
  })

  it('of a file that cannot be read says where', async () => {
    write('{"flags": {\n"checkout": }')
    expect(await run('--yes')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("export.json: This is no JSON: line 2 can't be read."),
    })
  })
})

describe('an .env file that is imported', () => {
  const canary = 'sk_test_c4n4ry'
  const text = `STRIPE_KEY=${canary}\nNEXT_PUBLIC_API_URL=https://a.example.com\nPAGE_SIZE=20\nEMPTY=\n`
  const importFile = (...args: string[]) =>
    place.run(['import', 'dotenv', ...args, '--schema', 'imported', '--yes'], { stdin: text })

  it('is refused while others can read it, stored once, and then unchanged', async () => {
    const path = join(place.directory, 'import.env')
    writeFileSync(path, text, { mode: 0o644 })
    const refused = await importFile('import.env', ...development)
    expect(refused).toMatchObject({ code: 5 })
    expect(refused.stderr).toContain('chmod 600 import.env')
    chmodSync(path, 0o600)
    const first = await importFile('import.env', ...development)
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toContain('stripeKey (STRIPE_KEY)  exact, new')
    expect(first.stdout).toContain('MEDIUM ENV-V001')
    const second = await importFile('import.env', ...development)
    expect(second.stdout).toContain('0 new, 0 to change, 3 unchanged')
    const shown = [refused, first, second].flatMap(({ stdout, stderr }) => [stdout, stderr])
    expect(shown.join('\n')).not.toContain(canary)
    const { schema } = await server.call<{ schema: object }>('GET', '/config-schemas/imported')
    expect(schema).toMatchObject({
      stripeKey: { tier: 'secret', type: 'string' },
      apiUrl: { tier: 'public', type: 'string' },
      pageSize: { tier: 'public', type: 'number' },
    })
  })

  it('of another environment takes the types and tiers that the keys have, from stdin', async () => {
    const production = ['--env', 'staging', '--json']
    const args = ['import', 'dotenv', '-', '--schema', 'imported', '--yes', ...production]
    const result = await place.run(args, {
      stdin: `STRIPE_KEY=${canary}\nAPI_URL=http://localhost\nPAGE_SIZE=many\n`,
    })
    expect(result).toMatchObject({ code: 8 })
    const plan = JSON.parse(result.stdout) as { unaccepted: string[]; keys: { action: string }[] }
    expect(plan.unaccepted).toEqual(['ENV-A001'])
    expect(plan.keys.map(({ action }) => action)).toEqual(['update', 'update', 'none'])
    expect(result.stdout).not.toContain(canary)
  })
})
