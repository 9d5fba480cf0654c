import { describe, expect, it } from 'vitest'
import { describeClient } from './describe-client.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('describeClient', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0 Safari/537.36 Edg/142.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${webKit} Chrome/142.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_6) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Safari/604.1',
      'Chrome on iOS',
    ],
    ['curl/8.14.1', 'curl'],
    [' ', null],
    [null, null],
  ])('%s', (userAgent, described) => {
    expect(describeClient(userAgent)).toBe(described)
  })

  it('shows no more than 40 characters of what it does not know', () => {
    expect(describeClient('x'.repeat(256))).toBe('x'.repeat(40))
  })
})
