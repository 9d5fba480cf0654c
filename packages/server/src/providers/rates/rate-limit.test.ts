import { describe, expect, it } from 'vitest'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { callProvider } from '../call-provider.ts'
import { readUsualLimit, type ReadLimit } from './rate-limit.ts'

const now = new Date('2026-11-22T00:00:00.000Z')
const inSeconds = (count: number) => new Date(now.getTime() + count * 1000)
const answerOf = (status: number, headers: Record<string, string> = {}): OutboundAnswer => ({
  status,
  headers,
  body: Buffer.from('{}'),
})

/** Calls a provider that gives one answer, and returns how the call fails. */
const failWith = (answer: OutboundAnswer, readLimit?: ReadLimit) =>
  callProvider(
    {
      provider: 'example',
      egress: { request: async () => answer },
      now: () => now,
      ...(readLimit !== undefined && { readLimit }),
    },
    { url: 'https://api.example.com' },
  ).catch((error: unknown) => error)

describe('the usual limit', () => {
  it('is 429, and 403 only where the headers say so', () => {
    const resetsAt = String(inSeconds(90).getTime() / 1000)
    const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetsAt }
    expect([
      readUsualLimit(answerOf(429), now),
      readUsualLimit(answerOf(429, { 'retry-after': '30' }), now),
      readUsualLimit(answerOf(403, spent), now),
      readUsualLimit(answerOf(403), now),
      readUsualLimit(answerOf(400, spent), now),
    ]).toEqual([inSeconds(60), inSeconds(30), inSeconds(90), undefined, undefined])
  })
})

describe('a provider that reports its limits in a way of its own', () => {
  const answer = answerOf(400, { 'x-busy-until-ms': String(inSeconds(5).getTime()) })
  const readLimit: ReadLimit = ({ headers }) => new Date(Number(headers['x-busy-until-ms']))

  it('is called again when it says', async () => {
    expect(await failWith(answer, readLimit)).toMatchObject({
      failure: 'rateLimited',
      retryAt: inSeconds(5),
    })
  })

  it('control: would never be called again by the usual way', async () => {
    expect(await failWith(answer)).toMatchObject({ failure: 'rejected', code: 'http_400' })
  })
})
