import { describe, expect, it } from 'vitest'
import { attentionOfMissingKeys } from './attention-of-missing-keys.ts'

const staging = { id: 'env_s', name: 'staging', production: false }
const production = { id: 'env_p', name: 'production', production: true }
const missing = (schema: string, ...keys: string[]) => ({
  schemaId: `sch_${schema}`,
  schema,
  keys,
  count: keys.length,
})
const summary = (...missingIn: ReturnType<typeof missing>[]) => ({
  missing: missingIn.length,
  missingIn,
  drift: undefined,
})

describe('missing keys', () => {
  it('are one item for each schema, which names them and leads to the keys it names', () => {
    const configs = new Map([
      ['env_s', summary(missing('shop', 'token'), missing('worker', 'queueUrl'))],
      ['env_p', summary(missing('shop', 'apiUrl', 'token', 'mail', 'smtp'))],
    ])
    expect(attentionOfMissingKeys([staging, production], configs)).toMatchObject([
      {
        severity: 'error',
        subjectId: 'sch_shop',
        title: 'apiUrl, token, mail and 1 more have no value in 2 environments',
        detail: 'Schema shop: production (4), staging (1). Apps there get no value for these keys.',
        next: {
          label: 'Fill in',
          href: '/config?schema=sch_shop&only=missing',
        },
      },
      {
        severity: 'warning',
        title: 'queueUrl has no value in staging',
        detail: 'Apps in staging get no value for this key of the schema worker.',
        next: {
          label: 'Fill in',
          href: '/config?schema=sch_worker&environment=staging&only=missing',
        },
      },
    ])
  })

  it('are nothing where every required key has a value', () => {
    expect(attentionOfMissingKeys([production], new Map([['env_p', summary()]]))).toEqual([])
  })
})
