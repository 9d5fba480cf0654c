import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

const kib = 1024

/** A budget of 64 KiB, 8 for each address, and the bodies that were told to give way. */
function open() {
  const budget = createBodyBudget({ totalBytes: 64 * kib, addressBytes: 8 * kib })
  const cut: string[] = []
  const begin = (name: string, address: string) => {
    const body = budget.open(address, (rejection) => cut.push(`${name} ${rejection.code}`))
    return {
      /** Returns the code of the rejection; `undefined` when the chunk was taken. */
      hold: (bytes: number) => body.hold(bytes)?.code,
      release: () => body.release(),
    }
  }
  return { begin, cut }
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at}`)

describe('the budget of unverified bodies', () => {
  it('takes one large body of an address, and small ones beside it', () => {
    const { begin, cut } = open()
    expect(begin('large', 'a').hold(40 * kib)).toBeUndefined()
    expect(begin('small', 'a').hold(7 * kib)).toBeUndefined()
    expect(cut).toEqual([])
  })

  it('refuses an address its second large body', () => {
    const { begin } = open()
    begin('first', 'a').hold(20 * kib)
    expect(begin('second', 'a').hold(20 * kib)).toBe('overloaded')
    expect(begin('of another', 'b').hold(20 * kib)).toBeUndefined()
  })

  it('lets a large body of an address give way to a small one', () => {
    const { begin, cut } = open()
    begin('first', 'a').hold(20 * kib)
    expect(begin('second', 'a').hold(7 * kib)).toBeUndefined()
    expect(begin('third', 'a').hold(2 * kib)).toBeUndefined()
    expect(cut).toEqual(['second overloaded'])
  })

  it('lets the address that holds most give way when the node is full', () => {
    const { begin, cut } = open()
    const bodies = names(4).map((address) => [address, begin(address, address)] as const)
    bodies.forEach(([, body], at) => expect(body.hold((15 - at) * kib)).toBeUndefined())
    expect(begin('genuine', 'b').hold(14 * kib)).toBeUndefined()
    expect(cut).toEqual(['10.0.0.0 overloaded'])
    // Nobody who holds as much as the others takes their place.
    expect(begin('another', 'c').hold(14 * kib)).toBe('overloaded')
  })

  it('is not used up by bodies that have sent next to nothing', () => {
    const { begin, cut } = open()
    for (const address of names(100)) begin(address, address).hold(1)
    expect(begin('genuine', 'b').hold(30 * kib)).toBeUndefined()
    expect(cut).toEqual([])
  })

  it('counts what a chunk costs beside its bytes', () => {
    const { begin } = open()
    const body = begin('of many chunks', 'a')
    let chunks = 0
    while (body.hold(1) === undefined) chunks += 1
    expect(chunks).toBeLessThan(300)
  })

  it('has everything back when a body ends, once', () => {
    const { begin } = open()
    for (let round = 0; round < 10; round += 1) {
      const body = begin('large', 'a')
      expect(body.hold(60 * kib)).toBeUndefined()
      body.release()
      body.release()
    }
    expect(begin('next', 'b').hold(60 * kib)).toBeUndefined()
    expect(begin('one more', 'c').hold(30 * kib)).toBeUndefined()
  })

  it('refuses further chunks of a body that gave way', () => {
    const { begin } = open()
    const large = begin('large', 'a')
    large.hold(60 * kib)
    expect(begin('small', 'b').hold(10 * kib)).toBeUndefined()
    expect(large.hold(1)).toBe('overloaded')
  })

  it('counts the addresses of a network as one', () => {
    const { begin } = open()
    begin('first', '2001:db8::1').hold(20 * kib)
    expect(begin('second', '2001:db8::2').hold(20 * kib)).toBe('overloaded')
  })
})
