import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readState, renderState, stateLifetimeMs } from './authorization-state.ts'

const key = randomBytes(32)
const issuedAt = new Date('2026-11-22T00:00:00.000Z')
const state = {
  nonce: 'nonce',
  orgId: 'org_1',
  userId: 'usr_1',
  provider: 'github',
  cookieHash: 'hash',
  issuedAt,
} as const
const later = (ms: number) => new Date(issuedAt.getTime() + ms)

describe('a state parameter', () => {
  it('says on the way back what it said on the way out', () => {
    expect(readState(key, renderState(key, state), later(1_000))).toEqual({
      outcome: 'valid',
      state,
    })
  })

  it('is good for ten minutes, and before it was made by a minute, for a node whose clock is behind', () => {
    const text = renderState(key, state)
    expect(readState(key, text, later(stateLifetimeMs - 1)).outcome).toBe('valid')
    expect(readState(key, text, later(stateLifetimeMs)).outcome).toBe('expired')
    expect(readState(key, text, later(-60_000)).outcome).toBe('valid')
    expect(readState(key, text, later(-60_001)).outcome).toBe('expired')
  })

  it('is refused when a character of it was changed, or another key signed it', () => {
    const text = renderState(key, state)
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'A' ? 'B' : 'A'
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      expect([at, readState(key, changed, later(1)).outcome]).toEqual([at, 'invalid'])
    }
    expect(readState(randomBytes(32), text, later(1)).outcome).toBe('invalid')
  })

  it.each(['', 'v1', 'v1..', 'v1.e30.', '..', 'v2.e30.x', 'x'.repeat(5000)])(
    'is refused where it is none: %s',
    (text) => {
      expect(readState(key, text, issuedAt).outcome).toBe('invalid')
    },
  )
})
