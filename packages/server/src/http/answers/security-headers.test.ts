import { describe, expect, it } from 'vitest'
import { apiHeaders, pageHeaders, transportHeaders } from './security-headers.ts'

describe('apiHeaders', () => {
  it('keep answers from caches, frames and other origins', () => {
    expect(apiHeaders).toEqual({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })
})

describe('pageHeaders', () => {
  it('allow nothing inline and no other address', () => {
    const { 'Content-Security-Policy': policy = '' } = pageHeaders()
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(policy).not.toContain('unsafe')
  })
})

describe('transportHeaders', () => {
  it('ask for https for good where the public address is https', () => {
    expect(transportHeaders('https://signalbox.example')).toEqual({
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    })
    expect(transportHeaders('http://127.0.0.1:4400')).toEqual({})
  })
})
