import { describe, expect, it } from 'vitest'
import { Problem } from '@signalbox/contract'
import { apiKeyState, findOrigin, requireRestrictions } from './api-key.ts'

const now = new Date('2026-11-21T06:00:00Z')

function pointersOf(check: () => void): string[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.errors ?? []).map(({ pointer }) => pointer)
  }
}

describe('apiKeyState', () => {
  it('says revoked, else expired from the moment on, else active', () => {
    expect(apiKeyState({ expiresAt: null, revokedAt: null }, now)).toBe('active')
    expect(apiKeyState({ expiresAt: now, revokedAt: null }, now)).toBe('expired')
    expect(apiKeyState({ expiresAt: now, revokedAt: now }, now)).toBe('revoked')
  })
})

describe('requireRestrictions', () => {
  it('gives origins to browser keys only', () => {
    const allowedOrigins = ['https://app.example.com']
    expect(pointersOf(() => requireRestrictions('b2m', { allowedOrigins }, now))).toEqual([])
    expect(pointersOf(() => requireRestrictions('m2m', { allowedOrigins }, now))).toEqual([
      '/allowedOrigins',
    ])
    expect(pointersOf(() => requireRestrictions('m2m', { allowedOrigins: null }, now))).toEqual([])
  })

  it('names every wrong origin and an end in the past', () => {
    const restrictions = {
      allowedOrigins: ['https://ok.example.com', 'https://a@b', 'https://exa mple'],
      expiresAt: '2026-11-21T06:00:00Z',
    }
    expect(pointersOf(() => requireRestrictions('b2m', restrictions, now))).toEqual([
      '/allowedOrigins/1',
      '/allowedOrigins/2',
      '/expiresAt',
    ])
  })
})

describe('findOrigin', () => {
  it('spells an origin as browsers do', () => {
    expect(findOrigin('https://App.Example.com:443')).toBe('https://app.example.com')
    expect(findOrigin('http://localhost:3000')).toBe('http://localhost:3000')
    expect(findOrigin('https://app.example.com/path')).toBeUndefined()
    expect(findOrigin('data:text/plain,x')).toBeUndefined()
  })
})
