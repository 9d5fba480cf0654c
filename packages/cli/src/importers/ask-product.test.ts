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
  const url = 'https://vendor.example/flags?x=1'
  return {
    waited,
    ask: (onNext?: (url: string) => void) => ask(url, { authorization: 'canary' }, onNext),
  }
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
    [{ 'retry-after': 'Sun, 09 Sep 2001 01:46:47 GMT' }, 7],
  ])('is asked again after %j', async (headers, seconds) => {
    const { ask, waited } = open([busy(headers), fine()])
    expect(await ask()).toEqual({ ok: true })
    expect(waited).toEqual([seconds])
  })

  it('names its next page, if that is at its own address', async () => {
    const page = (link: string) => new Response('{}', { headers: { link } })
    const pages: string[] = []
    const note = (url: string) => void pages.push(url)
    await open([page('</flags?page=2>; rel="next"')]).ask(note)
    await open([page('</flags?page=0>; rel="prev"')]).ask(note)
    expect(pages).toEqual(['https://vendor.example/flags?page=2'])
    const away = open([page('<https://other.example/>; rel="next"')]).ask(note)
    await expect(away).rejects.toThrow('next page at another address, other.example')
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
