import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTrust, type Trust } from './file-owner.ts'
import { findProject } from './find-project.ts'

let root: string
let inner: string
let trust: Trust

/** As somebody else sees the files of this test. */
const stranger: Trust = { uids: new Set([4_711]), directories: [] }

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-project-'))
  inner = join(root, 'repository/packages/app')
  mkdirSync(inner, { recursive: true })
  trust = await readTrust({})
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function writeProject(directory: string): string {
  const path = join(root, directory, '.signalbox.json')
  writeFileSync(path, '{ "schema": "web" }')
  return path
}

function find(more: Partial<Parameters<typeof findProject>[0]> = {}) {
  return findProject({ from: inner, home: '/nobody', trust, ...more })
}

describe('the project file', () => {
  it('is the nearest one above', async () => {
    writeProject('.')
    const path = writeProject('repository')
    expect(await find()).toMatchObject({ path, project: { schema: 'web' } })
  })

  it('is looked for up to the root of the repository and no further', async () => {
    writeProject('.')
    expect(await find()).toBeDefined()
    mkdirSync(join(root, 'repository/.git'))
    expect(await find()).toBeUndefined()
    const path = writeProject('repository')
    expect(await find()).toMatchObject({ path })
  })

  it('is looked for up to the home directory and no further', async () => {
    writeProject('.')
    expect(await find()).toBeDefined()
    expect(await find({ home: join(root, 'repository') })).toBeUndefined()
  })

  it('of another user is refused with what allows it', async () => {
    const path = writeProject('repository')
    await expect(find({ trust: stranger })).rejects.toMatchObject({
      code: 'foreign_file',
      message: expect.stringContaining(path) as string,
      advice: expect.stringContaining(
        `SIGNALBOX_SAFE_DIRECTORY=${join(root, 'repository')}`,
      ) as string,
    })
    const { directories } = await readTrust({ SIGNALBOX_SAFE_DIRECTORY: `/a:${root}` })
    expect(await find({ trust: { ...stranger, directories } })).toMatchObject({ path })
  })

  it('is not trusted by a directory whose name only begins like the safe one', async () => {
    writeProject('repository')
    const directories = [join(root, 'repo')]
    await expect(find({ trust: { ...stranger, directories } })).rejects.toThrow('another user')
  })
})

describe('readTrust', () => {
  it('trusts root, the user, the owner of this program and nobody else', async () => {
    const { uids } = await readTrust({})
    expect(uids?.has(0)).toBe(true)
    expect(uids?.has(process.getuid?.() ?? 0)).toBe(true)
    expect(uids?.has(65_534)).toBe(false)
  })

  it('believes SUDO_UID of root alone', async () => {
    const { uids } = await readTrust({ SUDO_UID: '4711' })
    expect(uids?.has(4_711)).toBe(process.getuid?.() === 0)
  })
})
