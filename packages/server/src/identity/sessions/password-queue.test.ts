import { Problem } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { createPasswordQueue } from './password-queue.ts'

/** A queue whose checks end when the test says so, in the order in which they began. */
function openQueue() {
  const queue = createPasswordQueue({ atOnce: 2, waiting: 3 })
  const begun: { readonly name: string; readonly end: (error?: Error) => void }[] = []
  const outcomes: string[] = []
  const add = (name: string, isKnown = false) =>
    queue
      .run(isKnown, () => {
        return new Promise<void>((resolve, reject) => {
          const end = (error?: Error) => (error === undefined ? resolve() : reject(error))
          begun.push({ name, end })
        })
      })
      .then(
        () => outcomes.push(`${name} done`),
        (error: unknown) =>
          outcomes.push(`${name} ${error instanceof Problem ? error.code : String(error)}`),
      )
  return { add, begun, outcomes, names: () => begun.map(({ name }) => name) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('checks of passwords', () => {
  it('run as many at once as there are places, and strangers beyond a short line are turned away', async () => {
    const { add, names, outcomes } = openQueue()
    for (let at = 1; at <= 7; at += 1) void add(`stranger ${at}`)
    await settled()
    expect(names()).toEqual(['stranger 1', 'stranger 2'])
    expect(outcomes).toEqual(['stranger 6 overloaded', 'stranger 7 overloaded'])
  })

  it('keep a line for networks that the account knows, which go first, however many strangers wait', async () => {
    const { add, begun, names, outcomes } = openQueue()
    for (let at = 1; at <= 9; at += 1) void add(`stranger ${at}`)
    void add('owner', true)
    await settled()
    begun[0]?.end()
    await settled()
    expect(names()).toEqual(['stranger 1', 'stranger 2', 'owner'])
    expect(outcomes.filter((outcome) => outcome.startsWith('owner'))).toEqual([])
  })

  it('give their place on also when they fail, and lose none', async () => {
    const { add, begun, names, outcomes } = openQueue()
    for (const name of ['a', 'b', 'c', 'd', 'e']) void add(name)
    await settled()
    for (let at = 0; at < 5; at += 1) {
      begun[at]?.end(at % 2 === 0 ? new Error('broken') : undefined)
      await settled()
    }
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(outcomes).toHaveLength(5)
    for (const name of ['f', 'g', 'h']) void add(name)
    await settled()
    expect(names().slice(5)).toEqual(['f', 'g'])
  })

  it('answer who is turned away when to try again', async () => {
    const queue = createPasswordQueue({ atOnce: 1, waiting: 0 })
    void queue.run(false, () => new Promise(() => {}))
    await expect(queue.run(false, async () => 'checked')).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 5,
    })
  })
})
