import { describe, expect, it } from 'vitest'
import { namesEtag, renderEtag } from './etag.ts'

describe('namesEtag', () => {
  it('finds the content in any coding, alone or in a list, strong or weak', () => {
    for (const header of ['"k3x"', 'W/"k3x"', '"a", "k3x-br" , "b"', '"k3x-gzip"', ' * ']) {
      expect([header, namesEtag(header, 'k3x')]).toEqual([header, true])
    }
  })

  it('finds nothing in tags that only look like it', () => {
    for (const header of ['', 'k3x', '"k3"', '"k3xx"', '"k3x-zstd"', '"-br"', '"*"', '"a,k3x"']) {
      expect([header, namesEtag(header, 'k3x')]).toEqual([header, false])
    }
  })

  it('takes linear time for any input', () => {
    const header = 'W/"'.repeat(5_000)
    // At best, because whatever else the machine does only adds to it.
    const tookMs = Array.from({ length: 10 }, () => {
      const begunAt = performance.now()
      expect(namesEtag(header, 'k3x')).toBe(false)
      return performance.now() - begunAt
    })
    expect(Math.min(...tookMs)).toBeLessThan(200)
  })
})

describe('renderEtag', () => {
  it('differs between codings', () => {
    expect([renderEtag('k3x', 'identity'), renderEtag('k3x', 'br')]).toEqual(['"k3x"', '"k3x-br"'])
  })
})
