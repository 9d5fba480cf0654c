import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepFragment, takeFragment } from './kept-fragment.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('returns the fragment to its page, once', () => {
  keepFragment({ pathname: '/acme/config', hash: '#proposal=abc' })
  expect([takeFragment('/acme/config'), takeFragment('/acme/config')]).toEqual([
    '#proposal=abc',
    '',
  ])
})

it('returns it to no other page, and forgets it there', () => {
  keepFragment({ pathname: '/acme/config', hash: '#proposal=abc' })
  expect([takeFragment('/acme/flags'), takeFragment('/acme/config')]).toEqual(['', ''])
})

it('forgets that of a page before it where a page has none', () => {
  keepFragment({ pathname: '/acme/config', hash: '#proposal=abc' })
  keepFragment({ pathname: '/acme/config', hash: '' })
  expect(takeFragment('/acme/config')).toBe('')
})
