import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createClock } from '../clock.ts'
import { createAuthorizationCodes } from './authorization-codes.ts'

const verifier = 'v'.repeat(43)
const grant = {
  clientId: 'client',
  redirectUri: 'http://127.0.0.1:4400/callback',
  codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
  subject: 'ada',
}
const proof = { clientId: 'client', redirectUri: grant.redirectUri, codeVerifier: verifier }

describe('an authorization code', () => {
  it('is good once', () => {
    const codes = createAuthorizationCodes<string>(createClock())
    const code = codes.issue(grant)
    const redeemed = { outcome: 'redeemed', subject: 'ada', hadChallenge: true }
    expect(codes.redeem({ ...proof, code })).toEqual(redeemed)
    expect(codes.redeem({ ...proof, code })).toEqual({ outcome: 'unknown' })
  })

  it('is good for ten minutes', () => {
    const clock = createClock()
    const codes = createAuthorizationCodes<string>(clock)
    const [early, late] = [codes.issue(grant), codes.issue(grant)]
    clock.advance(10 * 60_000 - 1_000)
    expect(codes.redeem({ ...proof, code: early }).outcome).toBe('redeemed')
    clock.advance(2_000)
    expect(codes.redeem({ ...proof, code: late }).outcome).toBe('unknown')
  })

  it.each([
    ['another client', { clientId: 'other' }, 'other_client'],
    ['another address', { redirectUri: 'http://127.0.0.1:4400/other' }, 'other_redirect_uri'],
    ['a wrong verifier', { codeVerifier: 'w'.repeat(43) }, 'wrong_verifier'],
    ['no verifier', { codeVerifier: undefined }, 'wrong_verifier'],
  ])('is refused to %s, and used up by that', (_, other, outcome) => {
    const codes = createAuthorizationCodes<string>(createClock())
    const code = codes.issue(grant)
    expect(codes.redeem({ ...proof, ...other, code })).toEqual({ outcome })
    expect(codes.redeem({ ...proof, code })).toEqual({ outcome: 'unknown' })
  })
})
