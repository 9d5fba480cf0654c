import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toEnvName, toKeyName } from './variable-names.ts'

describe('the key of a variable', () => {
  it.each([
    ['STRIPE_KEY', 'stripeKey'],
    ['NEXT_PUBLIC_API_URL', 'apiUrl'],
    ['VITE_API_URL', 'apiUrl'],
    ['S3_BUCKET', 's3Bucket'],
    ['LOG_2_FILE', 'log_2File'],
    ['A_B_C', 'a_b_c'],
    ['2FA_KEY', '_2faKey'],
    ['_PRIVATE', '_private'],
    ['stripeKey', 'stripeKey'],
    ['database.url', 'databaseUrl'],
    ['db-password', 'dbPassword'],
    ['tls.crt', 'tlsCrt'],
  ])('%s is %s', (name, key) => {
    expect(toKeyName(name)).toBe(key)
  })

  it('becomes the same variable again', () => {
    const word = fc.stringMatching(/^[A-Z\d]{1,4}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const name = `X${words.join('_')}`
        expect(toEnvName(toKeyName(name))).toBe(name)
      }),
    )
  })
})
