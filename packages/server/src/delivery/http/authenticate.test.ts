import { Problem } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { newToken } from '../../crypto/tokens.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import { defaultRateLimits, type RateLimits } from '../../http/admission/rate-classes.ts'
import type { CachedApiKey } from '../../identity/key-cache/api-key-cache.ts'
import { authenticate, createAuthentication, type AuthenticatedPerson } from './authenticate.ts'
import { readBearerToken } from './bearer-token.ts'
import { createKeyUses } from './key-uses.ts'

const key: CachedApiKey = {
  orgId: 'org_1',
  keyId: 'key_1',
  name: 'a key',
  kind: 'b2m',
  access: 'read',
  handle: 'handle',
  hash: Buffer.alloc(32),
  environmentIds: null,
  schemaIds: null,
  allowedOrigins: null,
  allowedNetworks: null,
  expiresAt: null,
  revokedAt: null,
}

function open(rateLimits: RateLimits = 'off') {
  const checked: string[] = []
  const people: ((person: AuthenticatedPerson) => void)[] = []
  const authentication = createAuthentication({
    keyCache: { findKey: () => key },
    verifier: {
      verifyApiKey(token) {
        checked.push(token)
        return { outcome: 'valid', key }
      },
      verifyAccessToken: () => Promise.resolve({ outcome: 'invalid' }),
    },
    authenticatePerson: () =>
      new Promise((resolve) => {
        people.push(resolve)
      }),
    limiter: createRateLimiter(rateLimits),
    uses: createKeyUses(),
    addressOf: () => '192.0.2.1',
    now: () => new Date(),
  })
  const give = (authorization: string | undefined, apiKey?: string) => {
    const headers = authorization === undefined ? {} : { authorization }
    // The socket is looked at by nothing but `addressOf`.
    const request = { headers, socket: undefined as never }
    return authenticate(authentication, { request, apiKey, acceptCookies: false, atMs: 0 })
  }
  return { give, checked, people }
}

/** Every way to write `word` in upper and lower case. */
function spellings(word: string): string[] {
  return Array.from({ length: 2 ** word.length }, (_, bits) =>
    word
      .split('')
      .map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter))
      .join(''),
  )
}

describe('authenticate', () => {
  it('remembers a key once, however the header is spelled', () => {
    const { give, checked } = open()
    const { token } = newToken('b2m')
    const readers = new Set<unknown>()
    const codes: (string | undefined)[] = []
    for (const scheme of spellings('bearer')) {
      for (let spaces = 1; spaces <= 160; spaces += 1) {
        codes.push(codeOf(() => readers.add(give(`${scheme}${' '.repeat(spaces)}${token}`))))
      }
    }
    readers.add(give(undefined, token))
    const refused = codes.filter((code) => code === 'invalid_credentials').length
    // One check for all spellings: the key is remembered under one name.
    expect([readers.size, checked.length, refused]).toEqual([1, 1, 64 * 156])
  })

  it('counts headers that it cannot read as wrong credentials', () => {
    const { give } = open(defaultRateLimits)
    const codes = Array.from({ length: 61 }, () => codeOf(() => give('Basic eDp5')))
    expect(codes).toEqual([...Array(60).fill('invalid_credentials'), 'rate_limited'])
  })

  it('takes a right key from an address that sent many wrong ones', () => {
    const { give } = open(defaultRateLimits)
    for (let tried = 0; tried < 61; tried += 1) codeOf(() => give('Basic eDp5'))
    expect(codeOf(() => give('Basic eDp5'))).toBe('rate_limited')
    expect(codeOf(() => give(`Bearer ${newToken('m2m').token}`))).toBeUndefined()
    expect(codeOf(() => give(undefined, newToken('b2m').token))).toBeUndefined()
  })

  it('looks up at most sixty people of an address at once, and does not count good credentials', async () => {
    const { give, people } = open(defaultRateLimits)
    const attempts: unknown[] = []
    const codes = Array.from({ length: 200 }, () =>
      codeOf(() => void attempts.push(give(`Bearer ${newToken('pat').token}`))),
    )
    expect(people.length).toBe(60)
    expect(codes.slice(60)).toEqual(Array(140).fill('rate_limited'))
    for (const resolve of people) {
      resolve({ credentialId: 'pat_1', mayReadOrganization: () => true, isCurrent: () => true })
    }
    await Promise.all(attempts)
    expect(codeOf(() => give(`Bearer ${newToken('pat').token}`))).toBeUndefined()
  })
})

/** The code of the problem that `work` throws. */
function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.code
    throw thrown
  }
}

describe('readBearerToken', () => {
  it('reads a token of up to 4,096 characters after one to four spaces', () => {
    const longest = 'x'.repeat(4_096)
    for (const [header, token] of [
      ['Bearer a', 'a'],
      ['bEARER    a.b-c_~+/=', 'a.b-c_~+/='],
      [`Bearer ${longest}`, longest],
    ]) {
      expect(readBearerToken(header ?? '')).toBe(token)
    }
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      'Bearera',
      'Bearer     a',
      'Bearer\ta',
      'Bearer a b',
      ' Bearer a',
      'Xearer a',
      'Basic a',
      `Bearer ${longest}x`,
    ]) {
      expect([header, readBearerToken(header)]).toEqual([header, undefined])
    }
  })
})
