import { beforeEach, describe, expect, it } from 'vitest'
import { createClock, type Clock } from './clock.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

let clock: Clock
let scheduler: Scheduler
let done: string[]

const step = (name: string, afterMs: number) => ({ afterMs, run: () => void done.push(name) })

beforeEach(() => {
  clock = createClock()
  scheduler = createScheduler(clock)
  done = []
})

describe('steps', () => {
  it('wait for the clock, each for the one before it', async () => {
    scheduler.play([step('a', 60_000), step('b', 60_000)])
    clock.advance(60_000)
    await expect.poll(() => done).toEqual(['a'])
    clock.advance(60_000)
    await expect.poll(() => done).toEqual(['a', 'b'])
  })

  it('run at once when that is asked for, in the order in which they were due', () => {
    scheduler.play([step('a', 1_000), step('d', 60_000)])
    scheduler.play([step('b', 2_000), step('c', 3_000)])
    scheduler.runAll()
    expect(done).toEqual(['a', 'b', 'c', 'd'])
  })

  it('run with those that they bring about', () => {
    const run = () => scheduler.play([step('later', 60_000)])
    scheduler.play([{ afterMs: 60_000, run }])
    scheduler.runAll()
    expect(done).toEqual(['later'])
  })

  it('are forgotten by a reset', () => {
    scheduler.play([step('a', 60_000)])
    scheduler.reset()
    scheduler.runAll()
    expect(done).toEqual([])
  })
})
