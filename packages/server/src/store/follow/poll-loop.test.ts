import { afterEach, describe, expect, it } from 'vitest'
import { createPollLoop, type PollLoop, type PollLoopOptions } from './poll-loop.ts'

const loops: PollLoop[] = []
afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.close())))

function open(options: Pick<PollLoopOptions, 'poll'> & Partial<PollLoopOptions>) {
  const logged: string[] = []
  const loop = createPollLoop({
    feature: 'tests',
    intervalMs: 3_600_000,
    log: { info: (message) => logged.push(message), warn: (message) => logged.push(message) },
    ...options,
  })
  loops.push(loop)
  return { loop, logged }
}

describe('a poll loop', () => {
  it('polls once more for all calls during a poll', async () => {
    let polls = 0
    const gate = Promise.withResolvers<void>()
    const { loop } = open({
      poll: () => {
        polls += 1
        return polls === 1 ? gate.promise : Promise.resolve()
      },
    })
    const first = loop.refresh()
    const others = [loop.refresh(), loop.refresh()]
    gate.resolve()
    await Promise.all([first, ...others])
    expect(polls).toBe(2)
  })

  it('goes on while polls fail, and logs the first failure and their end', async () => {
    let polls = 0
    const { loop, logged } = open({
      intervalMs: 1,
      poll: () => ((polls += 1) < 4 ? Promise.reject(new Error('away')) : Promise.resolve()),
    })
    loop.start()
    await expect.poll(() => polls).toBeGreaterThan(3)
    await expect
      .poll(() => logged)
      .toEqual([
        'Could not read changes from the database',
        'Reading changes from the database again',
      ])
    expect(loop.isFailing()).toBe(false)
  })

  it('logs why the first poll failed, where somebody can say so', async () => {
    const details: unknown[] = []
    const { loop } = open({
      poll: () => Promise.reject(new Error('away')),
      explain: (failure) => (failure instanceof Error ? `It is ${failure.message}.` : undefined),
      log: { info: () => undefined, warn: (_message, fields) => details.push(fields?.detail) },
    })
    loop.wake()
    await loop.settled()
    expect(details).toEqual(['It is away.'])
  })

  it('says after the poll that was asked for last whether it succeeded', async () => {
    const answers = [Promise.resolve(), Promise.reject(new Error('away')), Promise.resolve()]
    const { loop } = open({ poll: () => answers.shift() ?? Promise.resolve() })
    for (const isKnown of [true, false, true]) {
      loop.wake()
      expect(await loop.settled()).toBe(isKnown)
    }
  })

  it('waits for the poll under way when it is closed, and polls no more', async () => {
    let polls = 0
    const gate = Promise.withResolvers<void>()
    const { loop } = open({
      intervalMs: 1,
      poll: () => {
        polls += 1
        return gate.promise
      },
    })
    loop.start()
    let isClosed = false
    const closing = loop.close().then(() => (isClosed = true))
    expect(isClosed).toBe(false)
    gate.resolve()
    await closing
    loop.wake()
    expect(polls).toBe(1)
  })
})
