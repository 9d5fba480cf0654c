import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { programName, withProgramName } from './program-name.ts'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'signalbox-name-'))
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

function link(directory: string): string {
  const path = join(project, directory)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'signalbox'), '')
  return path
}

it('is what started it: npx, or the PATH', () => {
  expect(programName({ npm_command: 'exec', PATH: link('global') }, project)).toBe(
    'npx --no-install signalbox',
  )
  expect(programName({ PATH: `/nowhere:${link('global')}` }, project)).toBe('signalbox')
})

it('is npx where only the project has it, and never what npx would look for in a registry', () => {
  expect(programName({ PATH: '/nowhere' }, project)).toBe('signalbox')
  link('node_modules/.bin')
  expect(programName({ PATH: '/nowhere' }, join(project, 'packages/app'))).toBe(
    'npx --no-install signalbox',
  )
})

it('stands before commands and in no other words', () => {
  const text = 'signalbox init, then: signalbox push\n@signalbox/cli in .signalbox.json'
  expect(withProgramName(text, 'npx --no-install signalbox')).toBe(
    'npx --no-install signalbox init, then: npx --no-install signalbox push\n@signalbox/cli in .signalbox.json',
  )
})
