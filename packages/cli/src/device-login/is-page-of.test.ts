import { describe, expect, it } from 'vitest'
import { isPageOf } from './is-page-of.ts'

describe('a page to sign in on', () => {
  it.each([
    ['https://signalbox.acme.com/device', 'https://signalbox.acme.com'],
    ['https://signalbox.acme.com/device?code=AB', 'https://signalbox.acme.com:443/'],
    ['http://127.0.0.1:4400/device', 'http://localhost:4400'],
  ])('%s is of %s', (page, server) => {
    expect(isPageOf(page, server)).toBe(true)
  })

  it.each([
    ['https://signalbox.acme.com.example.net/device', 'https://signalbox.acme.com'],
    ['http://signalbox.acme.com/device', 'https://signalbox.acme.com'],
    ['https://signalbox.acme.com:8443/device', 'https://signalbox.acme.com'],
    ['https://signalbox.acme.com@example.net/device', 'https://signalbox.acme.com'],
    ['http://127.0.0.1:4400/device', 'http://localhost:4401'],
    ['http://127.0.0.1:4400/device', 'http://signalbox.acme.com:4400'],
  ])('%s is not of %s', (page, server) => {
    expect(isPageOf(page, server)).toBe(false)
  })
})
