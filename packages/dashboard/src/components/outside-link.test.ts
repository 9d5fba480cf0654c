import { describe, expect, it } from 'vitest'
import { isWebAddress } from './outside-link.tsx'

describe('a link that leaves the dashboard', () => {
  it.each(['https://github.com/acme/shop', 'http://127.0.0.1:4400/run/1', 'HTTPS://EXAMPLE.COM'])(
    'leads to %s',
    (address) => expect(isWebAddress(address)).toBe(true),
  )

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    '//example.com/no/protocol',
    '/acme/deployments',
    'not an address',
    '',
  ])('is no link to %j', (address) => expect(isWebAddress(address)).toBe(false))
})
