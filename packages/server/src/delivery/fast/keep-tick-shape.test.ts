import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const file = join(import.meta.dirname, 'keep-tick-shape.ts')
const load = `import { keepTickShape } from ${JSON.stringify(file)};`

/** Counts how often V8 learns the shape of a tick in a process that then collects all its garbage a number of times. */
function countShapes(script: string, collections: number): number {
  const collect = `for (let at = 0; at < ${collections}; at += 1) {
    process.nextTick(() => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    gc(); gc()
  }`
  const log = ['--log-maps', '--no-log-maps-details', '--no-logfile-per-isolate', '--logfile=-']
  const run = ['--input-type=module', '--no-warnings', '-e', load + script + collect]
  const lines = execFileSync(process.execPath, ['--expose-gc', ...log, ...run], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return lines.match(/^map,Transition,.*"trigger_async_id_symbol"/gm)?.length ?? 0
}

describe('the shape of ticks', () => {
  it('is not learnt again after collections where one tick is kept', () => {
    expect(countShapes('keepTickShape();', 5)).toBe(countShapes('keepTickShape();', 0))
  })

  it('control: is forgotten by collections, and learnt again, where none is kept', () => {
    expect(countShapes('', 5)).toBeGreaterThan(countShapes('', 0))
  })
})
