import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEvaluationStores, readEvaluations, type Evaluations } from './evaluations.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a request whose answers the test gives, in any order. */
function createAsk(id = 'pro') {
  const waiting: PromiseWithResolvers<Evaluations>[] = []
  const send = vi.fn<() => Promise<Evaluations>>(() => {
    const answer = Promise.withResolvers<Evaluations>()
    waiting.push(answer)
    return answer.promise
  })
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return {
    ask: { id, send },
    answer: (index: number, value: number) => {
      waiting[index]?.resolve({ seats: { value } })
      return settle()
    },
    fail: (index: number) => {
      waiting[index]?.reject(new Error('gone'))
      return settle()
    },
  }
}

describe('what the server decides for a context', () => {
  it('is asked for once for all who listen, and told to each', async () => {
    const stores = createEvaluationStores()
    const { ask, answer } = createAsk()
    const listeners = [vi.fn<() => void>(), vi.fn<() => void>()]
    for (const listener of listeners) stores.subscribe(ask, listener)
    for (const _ of listeners) stores.load('pro', 1)
    expect(stores.read('pro')).toBeUndefined()
    await answer(0, 100)
    expect(ask.send).toHaveBeenCalledTimes(1)
    expect(stores.read('pro')).toEqual({ seats: { value: 100 } })
    expect(stores.read('free')).toBeUndefined()
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1)
  })

  it('is asked for again about another version, also about a smaller one', async () => {
    const stores = createEvaluationStores()
    const { ask, answer } = createAsk()
    stores.subscribe(ask, () => {})
    for (const version of [50, 7, 7, 8]) stores.load('pro', version)
    expect(ask.send).toHaveBeenCalledTimes(3)
    await answer(2, 3)
    // The answer about an older version comes late.
    await answer(0, 1)
    expect(stores.read('pro')).toEqual({ seats: { value: 3 } })
  })

  it('stays after a failure, and is asked for again within 45 seconds', async () => {
    const stores = createEvaluationStores()
    const { ask, answer, fail } = createAsk()
    const stop = stores.subscribe(ask, () => {})
    stores.load('pro', 1)
    await answer(0, 1)
    stores.load('pro', 2)
    await fail(1)
    expect(stores.read('pro')).toEqual({ seats: { value: 1 } })
    await vi.advanceTimersByTimeAsync(45_000)
    expect(ask.send).toHaveBeenCalledTimes(3)
    await answer(2, 2)
    expect(stores.read('pro')).toEqual({ seats: { value: 2 } })
    stores.load('pro', 3)
    await fail(3)
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ask.send).toHaveBeenCalledTimes(4)
  })

  it('is forgotten when nobody listens any more, and a render alone keeps nothing', async () => {
    const stores = createEvaluationStores()
    const { ask, answer } = createAsk()
    stores.load('pro', 1)
    expect(ask.send).not.toHaveBeenCalled()
    const stop = stores.subscribe(ask, () => {})
    stores.load('pro', 1)
    await answer(0, 1)
    stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(stores.read('pro')).toBeUndefined()
  })

  it('stays where one listener takes over from another, as from a component that React moves', async () => {
    const stores = createEvaluationStores()
    const { ask, answer } = createAsk()
    const stop = stores.subscribe(ask, () => {})
    stores.load('pro', 1)
    await answer(0, 1)
    stop()
    stores.subscribe(ask, () => {})
    stores.load('pro', 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(stores.read('pro')).toEqual({ seats: { value: 1 } })
    expect(ask.send).toHaveBeenCalledTimes(1)
  })
})

describe('a response of OFREP', () => {
  it('is read by keys, those without a value left out', () => {
    const seats = { key: 'seats', value: 100, variant: '100' }
    const flags = [seats, { key: 'beta', errorCode: 'TARGETING_KEY_MISSING' }, null]
    expect(readEvaluations({ flags })).toEqual({ seats })
  })

  it.each([undefined, null, 'text', {}, { flags: 1 }])('is refused when it is %j', (response) => {
    expect(() => readEvaluations(response)).toThrow(TypeError)
  })
})
