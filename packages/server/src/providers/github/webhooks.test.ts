import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ReadHeader } from '../webhooks/webhook-claim.ts'
import { githubWebhooks } from './webhooks.ts'

const body = Buffer.from('{"zen":"Keep it logically awesome."}')
const hexOf = (secret: string, algorithm = 'sha256', of = body) =>
  createHmac(algorithm, secret).update(of).digest('hex')
const good = `sha256=${hexOf('current')}`

const reading =
  (headers: Readonly<Record<string, string>>): ReadHeader =>
  (name) =>
    headers[name]

/** Returns whether a request with these headers is accepted as GitHub’s. */
function isGenuine(
  headers: Readonly<Record<string, string>>,
  { secrets = ['current', 'next'], of = body }: { secrets?: string[]; of?: Buffer } = {},
): boolean {
  const claimed = githubWebhooks.readClaim(reading(headers), new Date())
  return claimed?.isVerifiedBy(secrets, of) === true
}

describe('the signature of a webhook of GitHub', () => {
  it('is right when any of the secrets made it over the raw bytes', () => {
    expect(isGenuine({ 'x-hub-signature-256': good })).toBe(true)
    expect(isGenuine({ 'x-hub-signature-256': `sha256=${hexOf('next')}` })).toBe(true)
    expect(isGenuine({ 'x-hub-signature-256': `sha256=${hexOf('next').toUpperCase()}` })).toBe(true)
  })

  it.each([
    ['absent', {}],
    ['empty', { 'x-hub-signature-256': '' }],
    ['without its prefix', { 'x-hub-signature-256': hexOf('current') }],
    ['with another prefix', { 'x-hub-signature-256': `sha512=${hexOf('current')}` }],
    ['with the prefix in capitals', { 'x-hub-signature-256': `SHA256=${hexOf('current')}` }],
    ['the prefix alone', { 'x-hub-signature-256': 'sha256=' }],
    ['a digit short', { 'x-hub-signature-256': good.slice(0, -1) }],
    ['a byte short', { 'x-hub-signature-256': good.slice(0, -2) }],
    ['a byte long', { 'x-hub-signature-256': `${good}00` }],
    ['not hexadecimal', { 'x-hub-signature-256': `${good.slice(0, -1)}g` }],
    ['followed by a line', { 'x-hub-signature-256': `${good}\n` }],
    ['followed by a space', { 'x-hub-signature-256': `${good} ` }],
    ['sent twice', { 'x-hub-signature-256': `${good}, ${good}` }],
    ['of another secret', { 'x-hub-signature-256': `sha256=${hexOf('former')}` }],
    ['SHA-1 alone', { 'x-hub-signature': `sha1=${hexOf('current', 'sha1')}` }],
    ['SHA-1 in its place', { 'x-hub-signature-256': `sha1=${hexOf('current', 'sha1')}` }],
  ])('is refused: %s', (_what, headers) => {
    expect(isGenuine(headers)).toBe(false)
  })

  it('is refused when one byte of the body is another, or only white space was added', () => {
    const headers = { 'x-hub-signature-256': good }
    expect(isGenuine(headers, { of: Buffer.from(`${body.toString()}\n`) })).toBe(false)
    expect(isGenuine(headers, { of: Buffer.alloc(0) })).toBe(false)
  })

  it('is refused when no secret is set, or an empty one', () => {
    const headers = { 'x-hub-signature-256': `sha256=${hexOf('')}` }
    expect(isGenuine(headers, { secrets: [] })).toBe(false)
    expect(isGenuine(headers, { secrets: [''] })).toBe(false)
  })
})

describe('what a webhook is about', () => {
  const headers = { 'x-github-event': 'push', 'x-github-delivery': '72d3162e-cc78-11e3-81ab' }
  const about = (text: string, of: Readonly<Record<string, string>> = headers) =>
    githubWebhooks.describe(reading(of), Buffer.from(text))

  it('keeps every digit of a number that JavaScript cannot hold', () => {
    const described = about('{"installation":{"id":9007199254740993},"repository":{"id":123}}')
    expect(described).toMatchObject({
      subject: { accountId: '9007199254740993', repositoryId: '123' },
    })
  })

  it('reads a form with the payload in it', () => {
    const form = `payload=${encodeURIComponent('{"action":"created","installation":{"id":7}}')}`
    expect(about(form)).toMatchObject({ subject: { action: 'created', accountId: '7' } })
  })

  it.each(['', '<html>', '{"installation":', 'null', '[]', '"text"', 'payload=%zz', '\u0000'])(
    'knows nothing of a body that is %j, and does not throw',
    (text) => {
      expect(about(text)).toEqual({
        type: 'webhook',
        subject: {
          deliveryId: '72d3162e-cc78-11e3-81ab',
          event: 'push',
          action: null,
          accountId: null,
          repositoryId: null,
        },
        isJson: ['null', '[]', '"text"'].includes(text),
      })
    },
  )

  it('passes over names and numbers that could not be stored', () => {
    const text = JSON.stringify({ action: 'a\u0000b', installation: { id: {} }, repository: 'x' })
    expect(about(text)).toMatchObject({ subject: { action: null, accountId: null } })
  })

  it.each([
    ['no event', { 'x-github-delivery': '1' }],
    ['no delivery', { 'x-github-event': 'push' }],
    ['two deliveries', { 'x-github-event': 'push', 'x-github-delivery': '1, 2' }],
    ['an event that is no name', { 'x-github-event': 'a b', 'x-github-delivery': '1' }],
  ])('says what is missing: %s', (_what, of) => {
    expect(about('{}', of)).toMatchObject({ type: 'malformed' })
  })
})
