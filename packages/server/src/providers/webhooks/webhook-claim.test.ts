import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Webhook as Library } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { parseEd25519Hex } from '../../crypto/verify-ed25519.ts'
import { claimEd25519, claimToken, readStandardClaim } from './webhook-claim.ts'

const now = new Date('2026-11-26T12:00:00Z')
const body = Buffer.from('{"object_kind":"deployment"}')
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

describe('a signature of Standard Webhooks', () => {
  const secret = newSecret()
  const signed = (ageSeconds = 0, of = secret): Record<string, string> => {
    const at = new Date(now.getTime() - ageSeconds * 1000)
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(at.getTime() / 1000),
      'webhook-signature': new Library(of).sign('msg_1', at, body.toString()),
    }
  }
  const isGenuine = (headers: Readonly<Record<string, string>>, secrets = [secret], of = body) =>
    readStandardClaim((name) => headers[name], now)?.isVerifiedBy(secrets, of) === true

  it('of the published library is taken, up to five minutes ago or ahead', () => {
    expect([0, 300, -300].map((age) => isGenuine(signed(age)))).toEqual([true, true, true])
    expect([301, -301].map((age) => isGenuine(signed(age)))).toEqual([false, false])
  })

  it('is taken from any of several signatures and secrets', () => {
    const [other] = [newSecret()]
    const both = `${signed(0, other)['webhook-signature']} v1a,AAAA ${signed()['webhook-signature']}`
    expect(isGenuine({ ...signed(), 'webhook-signature': both })).toBe(true)
    expect(isGenuine(signed(), [other, secret])).toBe(true)
    expect(isGenuine(signed(), [other])).toBe(false)
  })

  it.each([
    ['no id', { 'webhook-id': '' }],
    ['another id', { 'webhook-id': 'msg_2' }],
    ['another timestamp', { 'webhook-timestamp': String(now.getTime() / 1000 - 1) }],
    ['a timestamp that is none', { 'webhook-timestamp': '1e9' }],
    ['no signature', { 'webhook-signature': '' }],
    ['a signature without its version', { 'webhook-signature': 'v2,AAAA' }],
    ['a signature that is short', { 'webhook-signature': 'v1,AAAA' }],
  ])('is refused: %s', (_what, changed) => {
    expect(isGenuine({ ...signed(), ...changed })).toBe(false)
  })

  it('is refused for another body, and when no secret is a signing secret', () => {
    expect(isGenuine(signed(), [secret], Buffer.from('{}'))).toBe(false)
    expect(isGenuine(signed(), ['', 'whsec_', secret.slice(6)])).toBe(false)
  })
})

describe('a token', () => {
  it('is taken when it is one of the secrets, and never when it is empty', () => {
    expect(claimToken('b').isVerifiedBy(['a', 'b'], body)).toBe(true)
    expect(claimToken('b').isVerifiedBy(['a', 'bb'], body)).toBe(false)
    expect(claimToken('').isVerifiedBy(['', 'a'], body)).toBe(false)
    expect(claimToken('a').isVerifiedBy([], body)).toBe(false)
  })
})

describe('a signature of Ed25519', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const hex = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
  const signature = sign(null, Buffer.concat([Buffer.from('1764000000'), body]), privateKey)
  const claim = claimEd25519({ signature, prefix: '1764000000' })

  it('is taken when the key made it over prefix and body', () => {
    expect(parseEd25519Hex(signature.toString('hex'))).toEqual(signature)
    expect(claim.isVerifiedBy([hex], body)).toBe(true)
    expect(claim.isVerifiedBy(['0'.repeat(64), hex.toUpperCase()], body)).toBe(true)
  })

  it('is refused for another body, prefix, key or signature', () => {
    const other = claimEd25519({ signature, prefix: '1764000001' })
    const changed = Buffer.from(signature)
    changed[0] = (changed[0] ?? 0) ^ 1
    expect(claim.isVerifiedBy([hex], Buffer.from('{}'))).toBe(false)
    expect(other.isVerifiedBy([hex], body)).toBe(false)
    expect(
      claimEd25519({ signature: changed, prefix: '1764000000' }).isVerifiedBy([hex], body),
    ).toBe(false)
    for (const keys of [[], [''], ['g'.repeat(64)], [hex.slice(2)]]) {
      expect(claim.isVerifiedBy(keys, body)).toBe(false)
    }
    expect(parseEd25519Hex(signature.toString('hex').slice(2))).toBeUndefined()
  })
})
