import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseLinearEvent } from './webhook-events.ts'
import { linearWebhooks } from './webhooks.ts'

const now = new Date('2026-11-22T12:00:00Z')
const hourMs = 3_600_000
const bodyOf = (value: object) => Buffer.from(JSON.stringify(value))
const sentBefore = (ms: number) => bodyOf({ webhookTimestamp: now.getTime() - ms })

function isGenuine(
  body: Buffer,
  { secret = 'current', headers = {} }: { secret?: string; headers?: Record<string, string> } = {},
): boolean {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const all: Record<string, string> = { 'linear-signature': signature, ...headers }
  const claim = linearWebhooks.readClaim((name) => all[name], now)
  return claim?.isVerifiedBy(['current', 'next'], body) === true
}

describe('the signature of a webhook of Linear', () => {
  it('is right when any of the secrets made it, up to the last retry', () => {
    expect([0, hourMs, 6.9 * hourMs].map((ms) => isGenuine(sentBefore(ms)))).toEqual([
      true,
      true,
      true,
    ])
    expect(isGenuine(sentBefore(0), { secret: 'next' })).toBe(true)
  })

  it('is refused when the body is older or from the future, or of another secret', () => {
    expect([7.1 * hourMs, -0.1 * hourMs].map((ms) => isGenuine(sentBefore(ms)))).toEqual([
      false,
      false,
    ])
    expect(isGenuine(sentBefore(0), { secret: 'former' })).toBe(false)
  })

  it('does not grow younger by a header, which nobody signs', () => {
    const headers = { 'linear-timestamp': String(now.getTime()) }
    expect(isGenuine(sentBefore(8 * hourMs), { headers })).toBe(false)
  })

  it.each([
    ['no time', {}],
    ['a time that is none', { webhookTimestamp: '1763812800000' }],
  ])('is refused: %s', (_, value) => {
    expect(isGenuine(bodyOf(value))).toBe(false)
  })

  it.each(['', 'sha256=00', '00', 'z'.repeat(64)])('is refused: %j', (signature) => {
    expect(isGenuine(sentBefore(0), { headers: { 'linear-signature': signature } })).toBe(false)
  })
})

describe('a webhook of Linear', () => {
  const revoked = { type: 'OAuthApp', action: 'revoked', organizationId: '5f2b-1' }

  it('is known by its delivery, and answered as Linear wants', () => {
    const header = (name: string) => (name === 'linear-delivery' ? 'a1-b2' : undefined)
    expect(linearWebhooks.describe(header, bodyOf(revoked))).toEqual({
      type: 'webhook',
      subject: {
        deliveryId: 'a1-b2',
        event: 'OAuthApp',
        action: 'revoked',
        accountId: '5f2b-1',
        repositoryId: null,
      },
      isJson: true,
    })
    expect(linearWebhooks.storedStatus).toBe(200)
  })

  it('without a delivery is known by its text', () => {
    const about = (body: Buffer) => linearWebhooks.describe(() => undefined, body)
    expect(about(bodyOf(revoked))).toEqual(about(bodyOf(revoked)))
    expect(about(Buffer.from('[')).type).toBe('webhook')
  })

  it.each([
    ['the end of the access', 'OAuthApp', revoked, 'accessRevoked'],
    ['another event of the application', 'OAuthApp', { action: 'updated' }, 'ignored'],
    ['an issue', 'Issue', { action: 'update' }, 'ignored'],
  ])('tells of %s', (_, event, value, type) => {
    expect(parseLinearEvent(event, bodyOf(value))).toMatchObject({ type })
  })

  it('that is no JSON is ignored with a reason', () => {
    expect(parseLinearEvent('OAuthApp', Buffer.from('{'))).toMatchObject({ type: 'ignored' })
  })
})
