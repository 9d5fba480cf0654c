import { describe, expect, it } from 'vitest'
import { findOriginErrors, readLines, readReach, toChoices, toExpiry } from './key-form.ts'

describe('the form of a key', () => {
  it('ends a key so many days from now, or never', () => {
    const now = new Date('2026-11-22T00:00:00.000Z')
    expect(toExpiry('30', now)).toBe('2026-12-22T00:00:00.000Z')
    expect(toExpiry('', now)).toBeNull()
  })

  it('reads one origin in a line', () => {
    expect(readLines(' https://a.example \n\nhttps://b.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ])
    expect(readLines(' \n')).toBeNull()
  })

  it('restricts a key to what is chosen, and not at all where nothing is', () => {
    const form = new FormData()
    form.set('allowedOrigins', 'https://a.example')
    const unrestricted = { environmentIds: null, schemaIds: null }
    expect(readReach(form, 'm2m')).toEqual({ ...unrestricted, allowedOrigins: null })
    form.append('environmentIds', 'env_1')
    form.append('environmentIds', 'env_2')
    expect(readReach(form, 'b2m')).toEqual({
      environmentIds: ['env_1', 'env_2'],
      schemaIds: null,
      allowedOrigins: ['https://a.example'],
    })
  })

  it('offers what a key is restricted to even when no list knows it', () => {
    const staging = { id: 'env_1', name: 'staging' }
    expect(toChoices([staging], ['env_1', 'env_9'])).toEqual([
      staging,
      { id: 'env_9', name: 'env_9' },
    ])
    expect(toChoices([staging], null)).toEqual([staging])
  })

  it('says beside the origins once what is wrong with any of them', () => {
    const error = { code: 'invalid', detail: 'Give an origin.' }
    const errors = [
      { ...error, pointer: '/allowedOrigins/0' },
      { ...error, pointer: '/allowedOrigins/2' },
      { ...error, pointer: '/name' },
    ]
    expect(findOriginErrors(errors)).toEqual({
      pointers: ['/allowedOrigins/0', '/allowedOrigins/2'],
      text: 'Give an origin.',
    })
    expect(findOriginErrors()).toEqual({ pointers: [], text: undefined })
  })
})
