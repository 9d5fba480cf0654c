import { describe, expect, it } from 'vitest'
import { offerOptions } from './offer-options.ts'

const fits = (name: string) => name.includes('dep')

describe('what a searched list offers', () => {
  it('is what the server found, once that is the answer to what is typed', () => {
    expect(offerOptions({ results: ['general'], isOld: false, fits })).toEqual(['general'])
    expect(offerOptions({ results: [], isOld: false, fits })).toEqual([])
  })

  it('is what fits of the former answer until then, and unknown where nothing does', () => {
    expect(offerOptions({ results: ['general', 'deploy'], isOld: true, fits })).toEqual(['deploy'])
    expect(offerOptions({ results: ['general'], isOld: true, fits })).toBeUndefined()
    expect(offerOptions({ results: undefined, isOld: false, fits })).toBeUndefined()
  })
})
