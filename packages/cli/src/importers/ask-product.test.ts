import { describe, expect, it } from 'vitest'
import { createAsk } from './ask-product.ts'

function open(responses: readonly Response[]) {
  const waited: number[] = []
  const left = [...responses]
  const ask = createAsk({
    fetch: () => Promise.resolve(left.shift() ?? new Response('', { status: 404 })),
    wait: (seconds) => {
      waited.push(seconds)
      return Promise.resolve()
    },
    now: () => new Date(1_000_000_000_000),
  })
  return { waited, ask: () => ask('https://vendor.example/flags?x=1', { authorization: 'canary' }) }
}
const busy = (headers: Record<string, string>) => new Response('', { status: 429, headers })
const fine = () => new Response('{"ok":true}')

describe('a product that is asked too often', () => {
  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'x-ratelimit-reset': '1000000005000' }, 5],
    [{ 'x-ratelimit-reset': '1000000009' }, 9],
    [{ 'x-ratelimit-reset': '3' }, 3],
    [{}, 2],
    [{ 'retry-after': '99999' }, 120],
  ])('is asked again after %j', async (headers, seconds) => {
    const { ask, waited } = open([busy(headers), fine()])
    expect(await ask()).toEqual({ ok: true })
    expect(waited).toEqual([seconds])
  })

  it('is given up after a while, and no error shows the token or the query', async () => {
    const { ask, waited } = open(Array.from({ length: 9 }, () => busy({})))
    await expect(ask()).rejects.toThrow(/^vendor\.example\/flags answers 429\.$/)
    expect(waited).toHaveLength(5)
    await expect(open([new Response('canary', { status: 401 })]).ask()).rejects.toThrow(
      /^vendor\.example refuses the token \(401\)\.$/,
    )
    await expect(open([new Response('<html>')]).ask()).rejects.toThrow('answers no JSON')
  })
})
