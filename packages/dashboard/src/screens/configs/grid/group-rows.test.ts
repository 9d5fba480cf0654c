import { describe, expect, it } from 'vitest'
import { buildKey } from '../testing/build-matrix.ts'
import { groupRows, isGroup, toPrefix } from './group-rows.ts'

it.each([
  ['checkoutTimeoutMs', 'checkout'],
  ['STRIPE_KEY', 'stripe'],
  ['S3_BUCKET', 's'],
  ['db.host', 'db'],
  ['api-url', 'api'],
  ['APIUrl', 'api'],
  ['ApiUrl', 'api'],
  ['_private', '_private'],
])('the first word of %s is %s', (key, prefix) => {
  expect(toPrefix(key)).toBe(prefix)
})

describe('keys in groups', () => {
  const rows = ['apiUrl', 'checkoutMax', 'checkoutMin', 'dbHost', 'DB_PORT'].map((key) =>
    buildKey(key, []),
  )
  const linesOf = (folded: readonly string[] = []) =>
    groupRows(rows, new Set(folded)).map((line) =>
      isGroup(line)
        ? `${line.group ?? 'others'} ${line.count}${line.isFolded ? ' folded' : ''}`
        : `  ${line.key}`,
    )

  it('stand below the word that they begin with, and single ones below the others', () => {
    expect(linesOf()).toEqual([
      'checkout 2',
      '  checkoutMax',
      '  checkoutMin',
      'db 2',
      '  dbHost',
      '  DB_PORT',
      'others 1',
      '  apiUrl',
    ])
  })

  it('are hidden by folding their group, and counted', () => {
    expect(linesOf(['group:db', 'group:'])).toEqual([
      'checkout 2',
      '  checkoutMax',
      '  checkoutMin',
      'db 2 folded',
      'others 1 folded',
    ])
  })
})
