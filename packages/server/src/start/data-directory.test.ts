import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDataDirectory } from '../store/make-directories.ts'

let project: string
let dataDir: string

const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args]).toString()

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'signalbox-project-'))
  dataDir = join(project, '.signalbox')
  git('init', '--quiet')
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

describe('the data directory in a project', () => {
  it('is never offered to git', async () => {
    await makeDataDirectory(dataDir)
    writeFileSync(join(dataDir, 'root.key'), 'secret')
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('')
  })

  it('of an earlier version is ignored from the next start on', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'root.key'), 'secret')
    expect(git('status', '--porcelain')).toContain('.signalbox')
    await makeDataDirectory(dataDir)
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('')
  })

  it('keeps the ignore file that somebody has changed', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, '.gitignore'), '!*\n')
    await makeDataDirectory(dataDir)
    expect(readFileSync(join(dataDir, '.gitignore'), 'utf8')).toBe('!*\n')
  })
})
