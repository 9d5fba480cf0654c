import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { killServers, runServerHere, spawnServer } from './testing/server-process.ts'

let base: string
let database: TestDatabase
const [first, second] = ['A'.repeat(43), `${'B'.repeat(42)}A`]

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  await chmod(base, 0o711)
  database = await createTestDatabase()
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(base, { recursive: true, force: true })
})

/** Returns the settings of a node whose program prints these keys. */
async function printing(...keys: readonly string[]) {
  const path = join(base, `print-${keys.map((key) => key.slice(0, 1)).join('')}`)
  await writeFile(path, `#!/bin/sh\n${keys.map((key) => `echo ${key}`).join('\n')}\n`, {
    mode: 0o700,
  })
  return {
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_DATA_DIR: join(base, 'data'),
    SIGNALBOX_ROOT_KEY_COMMAND: path,
  }
}

async function startAndStop(env: Readonly<Record<string, string>>) {
  const service = spawnServer({ args: ['start', '--json'], env })
  const isStarted = () => service.output().includes('"event":"started"')
  await expect
    .poll(() => isStarted() || service.child.exitCode !== null, { timeout: 60_000 })
    .toBe(true)
  service.child.kill('SIGTERM')
  return service.ended
}

function channelOfTests() {
  if (process.channel === undefined) throw new Error('The tests run in no fork')
  return process.channel
}

describe('SIGNALBOX_ROOT_KEY_COMMAND', () => {
  it('prints the key of start, rotate-root-key and import', async () => {
    expect(await startAndStop(await printing(first))).toMatchObject({ exitCode: 0 })
    const wrong = await startAndStop(await printing(second))
    expect(wrong.stderr).toContain('Restore it in SIGNALBOX_ROOT_KEY_COMMAND')
    const file = join(base, 'backup.signalbox')
    await runServerHere({ args: ['export', file], env: await printing(first) })

    const rotate = async (...keys: readonly string[]) =>
      runServerHere({ args: ['rotate-root-key'], env: await printing(...keys) })
    expect((await rotate(first)).stderr).toContain('SIGNALBOX_ROOT_KEY_COMMAND prints one')
    const rotated = await rotate(second, first)
    expect(rotated.stdout).toContain('from what SIGNALBOX_ROOT_KEY_COMMAND prints on every node')
    expect(await startAndStop(await printing(second))).toMatchObject({ exitCode: 0 })

    const restore = async (key: string) =>
      runServerHere({ args: ['import', file, '--force'], env: await printing(key) })
    expect((await restore(second)).exitCode).not.toBe(0)
    expect(await restore(first)).toMatchObject({ exitCode: 0 })
    expect(await startAndStop(await printing(first))).toMatchObject({ exitCode: 0 })
  })

  it('is refused beside SIGNALBOX_ROOT_KEY, with both names', async () => {
    const env = { ...(await printing(first)), SIGNALBOX_ROOT_KEY: first }
    const { exitCode, stderr } = await runServerHere({ args: ['start'], env })
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        'Use SIGNALBOX_ROOT_KEY (or SIGNALBOX_ROOT_KEY_FILE) or SIGNALBOX_ROOT_KEY_COMMAND, not both.',
      ),
    ])
  })

  it('that fails ends the start with its standard error, and nothing of its output', async () => {
    const env = await printing(first)
    const failing = join(base, 'fail')
    await writeFile(failing, `#!/bin/sh\necho ${first}; echo access denied >&2; exit 1\n`, {
      mode: 0o700,
    })
    const args = ['start']
    const count = () => ['SIGTERM', 'SIGINT', 'disconnect'].map((of) => process.listenerCount(of))
    const before = count()
    const takeBack = vi.spyOn(channelOfTests(), 'ref')
    const failed = await runServerHere({
      args,
      env: { ...env, SIGNALBOX_ROOT_KEY_COMMAND: failing },
    })
    expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringContaining('access denied')])
    expect(failed.stderr + failed.stdout).not.toContain(first)
    // The tests have their process back as it was.
    expect([count(), takeBack.mock.calls.length]).toEqual([before, 1])
    // A command that needs no key does not run the program.
    const { exitCode } = await runServerHere({
      args: ['env'],
      env: { ...env, SIGNALBOX_ROOT_KEY_COMMAND: failing },
    })
    expect(exitCode).toBe(0)
  })
})
