import { describe, expect, it } from 'vitest'
import { importSecret, isGenuine, sign } from './standard-webhooks.ts'

// The example of https://github.com/standard-webhooks/standard-webhooks.
const example = {
  secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
  parts: {
    id: 'msg_loFOjxBNrRLzqYUf',
    timestamp: '1731705121',
    body: '{"event_type":"ping","data":{"success":true}}',
  },
  signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
}
const now = 1_731_705_121
const { parts, signature } = example

describe('a signature of Standard Webhooks', () => {
  it('is made as their example shows', async () => {
    expect(await sign(await importSecret(example.secret), parts)).toBe(signature)
  })

  it.each([
    ['alone', signature],
    [
      'beside one of an older secret and one of another version',
      `v1,AAAA v1a,${signature} ${signature}`,
    ],
  ])('is taken %s', async (_, header) => {
    expect(await isGenuine(await importSecret(example.secret), parts, header, now)).toBe(true)
  })

  it.each<[string, Partial<typeof parts>, string, number]>([
    ['over another body', { body: `${parts.body} ` }, signature, now],
    ['over another id', { id: 'msg_x' }, signature, now],
    ['over another time', { timestamp: '1731705122' }, signature, now],
    ['of more than five minutes ago', {}, signature, now + 301],
    ['of more than five minutes ahead', {}, signature, now - 301],
    ['without a time', { timestamp: '' }, signature, now],
    ['with a time that is no number', { timestamp: '1e9' }, signature, 1e9],
    ['without an id', { id: '' }, signature, now],
    ['that is missing', {}, '', now],
    ['that is empty', {}, 'v1,', now],
    ['that is no base64', {}, 'v1,%%%%', now],
    ['that is cut off', {}, signature.slice(0, -4), now],
    ['that is of another version', {}, signature.replace('v1,', 'v2,'), now],
  ])('is refused %s', async (_, other, header, at) => {
    const key = await importSecret(example.secret)
    expect(await isGenuine(key, { ...parts, ...other }, header, at)).toBe(false)
  })

  it('is refused under another secret', async () => {
    const other = await importSecret(`whsec_${btoa('x'.repeat(24))}`)
    expect(await isGenuine(other, parts, signature, now)).toBe(false)
  })

  it.each([
    '',
    'whsec_',
    'secret',
    `whsec_${btoa('short')}`,
    `whsec_${btoa('x'.repeat(65))}`,
    'whsec_***',
  ])('cannot be made with the secret "%s", which is not repeated', async (secret) => {
    const rejection = await importSecret(secret).catch(String)
    expect(rejection).toMatch(/^RangeError: The secret of a webhook is "whsec_" and/)
    expect(rejection).not.toContain(secret.slice(6) || 'secret-')
  })
})
