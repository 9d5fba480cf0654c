import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../scripts/check/run-command.ts'
import { runBenches } from './run-benches.ts'

describe('runBenches', () => {
  const printed: string[] = []
  const play = (names: readonly string[], limits = { eachSeconds: 60, allSeconds: 120 }) => {
    printed.length = 0
    const print = (line: string) => printed.push(...line.split('\n'))
    vi.spyOn(console, 'log').mockImplementation(print)
    vi.spyOn(console, 'error').mockImplementation(print)
    return runBenches(names, limits, (name, limitSeconds) =>
      runCommand('node', [join(root, `${name}.mjs`)], limitSeconds),
    )
  }
  let root: string
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'signalbox-benches-'))
    write('good.mjs', '')
    write('throws.mjs', "throw new Error('no server')")
    write('hangs.mjs', 'setTimeout(() => {}, 60_000)')
  })
  afterEach(() => {
    rmSync(root, { recursive: true })
    vi.restoreAllMocks()
  })

  it('runs those after one that fails or hangs, and names at the end which did', async () => {
    const outcome = await play(['throws', 'hangs', 'good'], { eachSeconds: 5, allSeconds: 60 })
    expect(outcome).toEqual({ measured: ['good'], failed: ['throws', 'hangs'], left: [] })
    expect(printed.slice(-2)).toEqual(['measured: good', 'failed: throws, hangs'])
    expect(printed).toContainEqual(expect.stringMatching(/^== hangs, 2 of 3, after \d+ s$/))
  })

  it('begins none after the time of all is over, and names those that are left', async () => {
    const outcome = await play(['hangs', 'good'], { eachSeconds: 60, allSeconds: 1 })
    expect(outcome).toEqual({ measured: [], failed: ['hangs'], left: ['good'] })
    expect(printed.at(-1)).toBe('left: good')
  })
})
