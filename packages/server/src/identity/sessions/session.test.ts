import { describe, expect, it } from 'vitest'
import {
  endedSessionCookie,
  isSessionAlive,
  renderSessionCookie,
  sessionIdleMs,
  sessionLifetimeMs,
} from './session.ts'

const start = Date.UTC(2026, 10, 21)
const at = (ms: number) => new Date(start + ms)

describe('isSessionAlive', () => {
  const expiresAt = at(sessionLifetimeMs)

  it('ends a session after 12 idle hours', () => {
    expect(isSessionAlive({ usedAt: at(0), expiresAt }, at(sessionIdleMs - 1))).toBe(true)
    expect(isSessionAlive({ usedAt: at(0), expiresAt }, at(sessionIdleMs))).toBe(false)
  })

  it('ends a session after seven days, however much it is used', () => {
    const usedAt = at(sessionLifetimeMs - 1)
    expect(isSessionAlive({ usedAt, expiresAt }, at(sessionLifetimeMs - 1))).toBe(true)
    expect(isSessionAlive({ usedAt, expiresAt }, at(sessionLifetimeMs))).toBe(false)
  })
})

describe('renderSessionCookie', () => {
  it('binds the cookie to the host, to https and to the browser', () => {
    expect(renderSessionCookie('abc', new Date('2026-11-28T00:00:00Z'))).toBe(
      '__Host-s=abc; Path=/; Secure; HttpOnly; SameSite=Lax; Expires=Sat, 28 Nov 2026 00:00:00 GMT',
    )
    expect(endedSessionCookie).toBe('__Host-s=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0')
  })
})
