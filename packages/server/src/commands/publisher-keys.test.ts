import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateRootKey, renderRootKey } from '../crypto/root-key.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { verifyRootKeys } from '../vault/verify-root-keys.ts'
import { readSettings } from '../settings.ts'
import { publisherKeysCommand } from './publisher-keys.ts'

let test: TestStore
const rootKey = generateRootKey()

beforeAll(async () => {
  test = await openTestStore()
  await verifyRootKeys(test, [rootKey])
})
afterAll(() => test.close())

/** Runs a step beside the service, and returns its output. */
async function run(...operands: string[]) {
  const out: string[] = []
  const err: string[] = []
  const settings = () =>
    readSettings({
      DATABASE_URL: test.databaseUrl,
      SIGNALBOX_ROOT_KEY: renderRootKey(rootKey),
    })
  await publisherKeysCommand({
    settings,
    operands,
    json: false,
    force: false,
    events: {},
    terminal: { out: (line) => out.push(line), err: (line) => err.push(line), isTerminal: false },
  })
  return { out, err: err.join('\n') }
}

describe('publisher-keys', () => {
  it('adds a key beside the one in force, and then retires that one', async () => {
    const added = await run('add')
    expect(added.out).toHaveLength(2)
    expect(added.out[0]).toMatch(/^[\w-]{43}$/)
    expect((await run('add')).err).toContain('two keys already')
    const retired = await run('retire')
    expect(retired.out).toEqual(added.out.slice(1))
    expect((await run('retire')).err).toContain('only one key')
    expect((await run()).out).toEqual(retired.out)
    const actions = await test.asOwner(
      `select action from audit_events where action like 'publisher_key.%' order by sequence`,
    )
    expect(actions.map(({ action }) => action)).toEqual([
      'publisher_key.added',
      'publisher_key.retired',
    ])
  })

  it('begins an epoch that is at least the time in seconds', async () => {
    const { err } = await run('new-epoch')
    expect(Number(/Epoch (\d+)/.exec(err)?.[1])).toBeGreaterThan(1_700_000_000)
  })

  it('names its steps for a word that is none', async () => {
    await expect(run('rotate')).rejects.toThrow('no step "rotate"')
  })
})
