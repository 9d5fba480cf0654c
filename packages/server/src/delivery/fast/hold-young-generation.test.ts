import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const file = join(import.meta.dirname, 'hold-young-generation.ts')

/** Makes as many objects that stay as a start does. */
const load = 'const kept = Array.from({ length: 400_000 }, (_, at) => ({ at }));'
/** Says how large the young generation is, in MiB. */
const say = `
  const { space_size: size } = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  console.log(size / 2 ** 20)`
/** Answers requests for half a second, or waits in ticks of nothing: little of what they make survives. */
const serve = (isBusy: boolean) => `{
  const until = performance.now() + 500
  let last = []
  while (performance.now() < until) {
    if (${isBusy}) last = Array.from({ length: 2_000 }, (_, at) => ({ at, headers: [at] }))
    await new Promise((resolve) => ${isBusy ? 'setImmediate(resolve)' : 'setTimeout(resolve, 20)'})
  }
}`
/** Opens streams: all of what it makes survives, 40 MB, a little in each turn of the loop. */
const openStreams = `
  const streams = []
  while (streams.length < 400) {
    streams.push(Array.from({ length: 2_000 }, (_, at) => ({ at })))
    await new Promise((resolve) => setTimeout(resolve))
  }`
/** Collects as V8 does when memory is short: it gives back what the young generation does not use. */
const giveBack = "gc({ type: 'major', flavor: 'last-resort' });"

/** In a process of its own: what V8 has grown to is never given back. */
function youngMiB(script: string): number {
  const head = `import v8 from 'node:v8'; import { holdYoungGeneration } from ${JSON.stringify(file)};`
  const args = ['--expose-gc', '--input-type=module', '--no-warnings', '-e', head + script + say]
  return Number.parseFloat(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

describe('the young generation of the service', () => {
  it('stays as small as it is while the service starts', () => {
    expect(youngMiB(`holdYoungGeneration(50);${load}`)).toBeLessThanOrEqual(4)
  })

  it('stays so while the started service has little to do', () => {
    expect(
      youngMiB(`const serve = holdYoungGeneration(50);${load}serve();${serve(false)}`),
    ).toBeLessThanOrEqual(4)
  })

  it('grows to 2 × 16 MiB when the started service is busy, though little survives', () => {
    expect(youngMiB(`holdYoungGeneration(50)();${serve(true)}`)).toBe(32)
  })

  it('grows no further when much survives, as of 10,000 streams', () => {
    expect(youngMiB(`holdYoungGeneration(20)();${openStreams}`)).toBe(32)
  })

  it('grows again after V8 has given it back', () => {
    expect(youngMiB(`holdYoungGeneration(50)();${serve(true)}${giveBack}${serve(true)}`)).toBe(32)
  })

  it('control: stays small under the same load where it is held, and grows beyond where it is not', () => {
    expect(youngMiB(`holdYoungGeneration(50);${serve(true)}`)).toBeLessThanOrEqual(4)
    expect(youngMiB(load)).toBeGreaterThanOrEqual(16)
    expect(youngMiB(openStreams)).toBeGreaterThan(32)
    expect(youngMiB(`${load}${giveBack}`)).toBeLessThanOrEqual(4)
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
    expect(listLoaded(path)).toEqual(['hold-young-generation.ts', 'keep-tick-shape.ts'])
    expect(listLoaded('delivery/fast/keep-tick-shape.ts')).toEqual(['node:async_hooks'])
    expect(listLoaded('delivery/fast/hold-young-generation.ts')).toEqual([
      'node:perf_hooks',
      'node:v8',
    ])
  })

  it('control: one that imports what it runs loads that before', () => {
    expect(listLoaded('start/processes/run-delivery-process.ts')).toContain('open-process.ts')
  })
})
