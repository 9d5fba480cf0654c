import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMeasuredSources, isOfToday } from './measured-code.ts'

let root: string
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-benches-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('a figure', () => {
  const bench = 'bench/read.ts'
  const manifest = (version: string) =>
    JSON.stringify({
      name: '@signalbox/server',
      exports: { '.': { '@signalbox/source': './src/main.ts' } },
      dependencies: { pg: version },
    })
  const isStillOfToday = (hash: string) => isOfToday({ bench, hash }, createMeasuredSources(root))

  beforeEach(() => {
    write(bench, "import { start } from './start.ts'\nstartChild('child.ts')\nstart()")
    write('bench/start.ts', "export const start = () => 'packages/server/src/main.ts'")
    write('bench/child.ts', 'export const child = 1')
    write('packages/server/package.json', manifest('1.0.0'))
    write('packages/server/src/main.ts', "import './deep.ts'\nimport './process.${kind}'")
    write('packages/server/src/deep.ts', '// Says why.\nexport const deep = 1')
    write('packages/server/src/main.test.ts', "import './main.ts'")
  })

  it.each([
    ['the bench itself', bench, 'start(2)'],
    ['a file that it imports', 'bench/start.ts', 'export const start = 2'],
    ['a process that it starts', 'bench/child.ts', 'export const child = 2'],
    [
      'a file that the program it starts imports',
      'packages/server/src/deep.ts',
      'export const deep = 2',
    ],
    [
      'the version of a package that the program depends on',
      'packages/server/package.json',
      manifest('1.0.1'),
    ],
  ])('is of older code once %s has changed', (_, path, text) => {
    const hash = createMeasuredSources(root).hash(bench)
    expect(isStillOfToday(hash)).toBe(true)
    write(path, text)
    expect(isStillOfToday(hash)).toBe(false)
  })

  it('stays one of today when a comment, a blank line, a test or a file beside it changes', () => {
    const hash = createMeasuredSources(root).hash(bench)
    write('packages/server/src/deep.ts', '/**\n * Says it better.\n */\n\nexport const deep = 1')
    write('packages/server/src/main.test.ts', "import './deep.ts'")
    write('packages/server/src/other.ts', 'export const other = 1')
    expect(isStillOfToday(hash)).toBe(true)
  })

  it('is of older code when it was written before hashes were', () => {
    expect(isOfToday(undefined, createMeasuredSources(root))).toBe(false)
  })
})

describe('what a bench of this repository measures', () => {
  const { list } = createMeasuredSources(join(import.meta.dirname, '..'))

  it.each([
    ['bench/delivery-read.ts', 'packages/server/src/delivery/delivery.ts'],
    ['bench/delivery-processes.ts', 'packages/server/src/start/processes/delivery-process.ts'],
    ['bench/push-to-message.ts', 'packages/server/src/main.ts'],
    ['bench/matrix.ts', 'packages/dashboard/src/theme.css'],
    ['bench/client-size.ts', 'packages/config/src/client/core.ts'],
  ])('of %s includes %s', (bench, path) => {
    expect(list(bench)).toContain(path)
  })

  it('control: of evaluations by a delivery, includes no provider', () => {
    expect(list('bench/ofrep.ts').join('\n')).not.toMatch(/\/providers\/|\.test\.ts/)
  })
})
