import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const file = join(import.meta.dirname, 'hold-young-generation.ts')

/** Makes as many objects that stay as a start does, and says how large the young generation is then, in MiB. */
const survivors = `
  const kept = Array.from({ length: 400_000 }, (_, at) => ({ at }))
  const { space_size: size } = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  console.log(size / 2 ** 20, kept.length)`

/** In a process of its own: what V8 has grown to is never given back. */
function youngMiB(script: string): number {
  const head = `import v8 from 'node:v8'; import { holdYoungGeneration } from ${JSON.stringify(file)};`
  const args = ['--input-type=module', '--no-warnings', '-e', head + script]
  return Number.parseFloat(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

describe('the young generation while the service starts', () => {
  it('stays as small as it is', () => {
    expect(youngMiB(`holdYoungGeneration();${survivors}`)).toBeLessThanOrEqual(4)
  })

  it('grows to what is needed afterwards', () => {
    expect(youngMiB(`holdYoungGeneration()();${survivors}`)).toBeGreaterThanOrEqual(16)
  })

  it('control: grows at the start where it is not held', () => {
    expect(youngMiB(survivors)).toBeGreaterThanOrEqual(16)
  })
})

describe('a program that holds it', () => {
  /** Lists what a file of the server loads before its first line runs. */
  const listLoaded = (path: string) =>
    [
      ...readFileSync(join(import.meta.dirname, '../..', path), 'utf8').matchAll(
        /^import (?!type\b)[^']*'([^']+)'/gm,
      ),
    ].map(([, loaded]) => loaded?.split('/').at(-1))

  it.each(['main.ts', 'start/processes/delivery-process.ts'])('%s loads nothing before', (path) => {
    expect(listLoaded(path)).toEqual(['hold-young-generation.ts'])
    expect(listLoaded('delivery/fast/hold-young-generation.ts')).toEqual(['node:v8'])
  })

  it('control: one that imports what it runs loads that before', () => {
    expect(listLoaded('start/processes/run-delivery-process.ts')).toContain('open-process.ts')
  })
})
