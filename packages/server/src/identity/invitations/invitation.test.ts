import { describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { maskEmail, newInvitationToken, readInvitationToken } from './invitation.ts'

describe('the token of an invitation', () => {
  it('names its organization, and is stored as a hash', () => {
    const orgId = newId('org', new Date())
    const { token, tokenHash } = newInvitationToken(orgId)
    expect(readInvitationToken(token)).toEqual({ orgId, tokenHash })
    expect(token).not.toContain(tokenHash.toString('base64url'))
  })

  it.each(['', '.', 'x', `${'0'.repeat(26)}.short`, `${'0'.repeat(26)}${'x'.repeat(43)}`])(
    'is not guessed from something else: %j',
    (text) => {
      expect(readInvitationToken(text)).toBeUndefined()
    },
  )
})

describe('maskEmail', () => {
  it.each([
    ['ada@example.com', 'a…@example.com'],
    ['a@example.com', 'a…@example.com'],
    ['"a@b"@example.com', '"…@example.com'],
  ])('%s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })
})
