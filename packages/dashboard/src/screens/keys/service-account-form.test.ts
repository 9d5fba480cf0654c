import { describe, expect, it } from 'vitest'
import {
  accountError,
  accountFields,
  accountPointers,
  readServiceAccounts,
} from './service-account-form.ts'

const formOf = (rows: readonly (readonly [string, string, string, string])[]) => {
  const form = new FormData()
  for (const [issuer, namespace, name, keys] of rows) {
    form.append(accountFields.issuer, issuer)
    form.append(accountFields.namespace, namespace)
    form.append(accountFields.name, name)
    form.append(accountFields.keys, keys)
  }
  return form
}

describe('the service accounts of a key', () => {
  it('are read row by row, with pasted keys or none', () => {
    const keys = { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] }
    const form = formOf([
      [' https://a.example ', 'shop', 'web', ''],
      ['https://b.example', 'shop', 'job', JSON.stringify(keys)],
    ])
    expect(readServiceAccounts(form)).toEqual({
      accounts: [
        { issuer: 'https://a.example', namespace: 'shop', name: 'web', keys: null },
        { issuer: 'https://b.example', namespace: 'shop', name: 'job', keys },
      ],
      unreadable: [],
    })
    expect(readServiceAccounts(new FormData())).toEqual({ accounts: [], unreadable: [] })
  })

  it('name the rows whose keys are no JWK set', () => {
    const form = formOf(
      ['', '{', '[]', '{"keys":1}', '{"keys":[1]}'].map((k) => ['i', 'n', 'a', k]),
    )
    expect(readServiceAccounts(form).unreadable).toEqual([1, 2, 3, 4])
  })

  it('show the server\u2019s errors in their fields', () => {
    const errors = [
      { pointer: '/serviceAccounts/1/keys/keys/0', code: 'validation_failed', detail: 'private' },
      { pointer: '/serviceAccounts', code: 'validation_failed', detail: 'all' },
      { pointer: '/name', code: 'validation_failed', detail: 'name' },
    ]
    expect(accountPointers(errors)).toEqual(['/serviceAccounts/1/keys/keys/0'])
    expect(accountError(errors, 1, 'keys')).toBe('private')
    expect(accountError(errors, 0, 'keys')).toBeUndefined()
    expect(accountError(errors, 1, 'issuer')).toBeUndefined()
  })
})
