import { describe, expect, it } from 'vitest'
import { createAnswerCache } from './answer-cache.ts'

const answer = (bytes: number, etag = 'W/"1"') => ({
  status: 200,
  headers: { etag },
  body: Buffer.alloc(bytes),
})

describe('createAnswerCache', () => {
  it('keeps an answer for the account that asked, and no other', () => {
    const cache = createAnswerCache()
    cache.keep('1', 'https://a', answer(1))
    expect(cache.find('1', 'https://a')?.etag).toBe('W/"1"')
    expect(cache.find('2', 'https://a')).toBeUndefined()
  })

  it('forgets what was asked for longest ago, by number and by size', () => {
    const cache = createAnswerCache({ entriesMax: 2, bytesMax: 10 })
    for (const url of ['a', 'b']) cache.keep('1', url, answer(4))
    cache.find('1', 'a')
    cache.keep('1', 'c', answer(1))
    expect(['a', 'b', 'c'].map((url) => cache.find('1', url) !== undefined)).toEqual([
      true,
      false,
      true,
    ])
    cache.keep('1', 'd', answer(9))
    expect(['a', 'c', 'd'].map((url) => cache.find('1', url) !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('keeps neither what is too large nor what has no ETag, and forgets what was there', () => {
    const cache = createAnswerCache({ answerBytesMax: 10 })
    cache.keep('1', 'a', answer(1))
    cache.keep('1', 'a', answer(11))
    expect(cache.find('1', 'a')).toBeUndefined()
    cache.keep('1', 'a', { status: 200, headers: {}, body: Buffer.of() })
    expect(cache.find('1', 'a')).toBeUndefined()
  })
})
