import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseSlackEvent } from './webhook-events.ts'
import { slackWebhooks } from './webhooks.ts'

const now = new Date('2026-11-22T12:00:00Z')
const body = Buffer.from('{"type":"event_callback"}')

function signedHeaders(ageSeconds: number, secret = 'current'): Record<string, string> {
  const sentAt = String(now.getTime() / 1000 - ageSeconds)
  const hex = createHmac('sha256', secret).update(`v0:${sentAt}:`).update(body).digest('hex')
  return { 'x-slack-signature': `v0=${hex}`, 'x-slack-request-timestamp': sentAt }
}

function isGenuine(headers: Readonly<Record<string, string>>): boolean {
  const claimed = slackWebhooks.readClaim((name) => headers[name], now)
  return claimed?.isVerifiedBy(['current', 'next'], body) === true
}

describe('the signature of a webhook of Slack', () => {
  it('is right when any of the secrets made it, up to five minutes ago or ahead', () => {
    expect([0, 300, -300].map((age) => isGenuine(signedHeaders(age)))).toEqual([true, true, true])
    expect(isGenuine(signedHeaders(0, 'next'))).toBe(true)
  })

  it('is refused when it is older or newer, or of another secret', () => {
    expect([301, -301].map((age) => isGenuine(signedHeaders(age)))).toEqual([false, false])
    expect(isGenuine(signedHeaders(0, 'former'))).toBe(false)
  })

  it.each([
    ['no timestamp', { 'x-slack-request-timestamp': '' }],
    ['another timestamp', { 'x-slack-request-timestamp': String(now.getTime() / 1000 - 1) }],
    ['a timestamp that is none', { 'x-slack-request-timestamp': '1e9' }],
    ['no signature', { 'x-slack-signature': '' }],
    ['another version', { 'x-slack-signature': 'v1=00' }],
    ['two signatures', { 'x-slack-signature': 'v0=00, v0=00' }],
  ])('is refused: %s', (_what, changed) => {
    expect(isGenuine({ ...signedHeaders(0), ...changed })).toBe(false)
  })
})

describe('what a webhook is about', () => {
  const about = (value: unknown) =>
    slackWebhooks.describe(() => undefined, Buffer.from(JSON.stringify(value)))

  it('answers a challenge with its own text', () => {
    expect(about({ type: 'url_verification', challenge: '3eZbrw1a' })).toEqual({
      type: 'challenge',
      answer: '3eZbrw1a',
    })
  })

  it('knows an event by its id, its name and its workspace', () => {
    const event = { type: 'event_callback', event_id: 'Ev1', team_id: 'T1' }
    expect(about({ ...event, event: { type: 'app_uninstalled' } })).toMatchObject({
      subject: { deliveryId: 'Ev1', event: 'app_uninstalled', accountId: 'T1' },
    })
  })

  it('knows what has no id by its text', () => {
    const [first, again] = [
      about({ type: 'app_rate_limited' }),
      about({ type: 'app_rate_limited' }),
    ]
    expect(first).toEqual(again)
    expect(first).toMatchObject({ subject: { event: 'app_rate_limited' } })
    expect(about('not an object')).toMatchObject({ subject: { event: 'unknown' } })
  })
})

describe('parseSlackEvent', () => {
  const parse = (event: unknown) => parseSlackEvent(Buffer.from(JSON.stringify({ event })))

  it('reads what ends our access, and what becomes of channels', () => {
    expect(parse({ type: 'app_uninstalled' })).toEqual({ type: 'uninstalled' })
    expect(parse({ type: 'tokens_revoked', tokens: { bot: ['U1'] } })).toEqual({
      type: 'tokensRevoked',
    })
    expect(parse({ type: 'channel_rename', channel: { id: 'C1', name: 'live' } })).toEqual({
      type: 'channel',
      change: 'renamed',
      channelId: 'C1',
      name: 'live',
    })
    expect(parse({ type: 'group_left', channel: 'G1' })).toMatchObject({
      change: 'left',
      channelId: 'G1',
      name: null,
    })
  })

  it.each([
    { type: 'tokens_revoked', tokens: { oauth: ['U1'] } },
    { type: 'channel_rename' },
    { type: 'message', text: 'hello' },
    { type: 7 },
    null,
  ])('ignores with a reason: %j', (event) => {
    expect(parse(event)).toEqual({ type: 'ignored', reason: expect.stringMatching(/\.$/) })
  })
})
