import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isNewerThan } from '../scripts/is-newer-than.ts'

const directory = mkdtempSync(join(tmpdir(), 'signalbox-newer-'))
const at = (name: string) => join(directory, name)
afterAll(() => rmSync(directory, { recursive: true }))

it('what npm run build makes is made again when it is missing, or older than one of its sources', () => {
  const sources = [at('*.md'), at('none/**')]
  const write = (name: string, seconds: number) => {
    writeFileSync(at(name), '')
    utimesSync(at(name), seconds, seconds)
  }
  write('one.md', 1_000)
  write('two.md', 2_000)
  expect(isNewerThan(at('built'), sources)).toBe(false)
  write('built', 2_000)
  expect(isNewerThan(at('built'), sources)).toBe(true)
  write('one.md', 2_001)
  expect(isNewerThan(at('built'), sources)).toBe(false)
})
