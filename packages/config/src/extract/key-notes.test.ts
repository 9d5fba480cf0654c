import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  boolean,
  number,
  oneOf,
  optional,
  string,
  typed,
  withStoredDefault,
  type Validators,
} from '../index.ts'
import { extractSchema } from './index.ts'

const notes = {
  owner: 'Checkout team',
  tags: ['checkout', 'q1'],
  expectedToDiffer: true,
  variable: 'Shop__Checkout',
}
const ofFlags = { ...notes, expires: '2027-01-31', killSwitch: true }
const extract = (featureFlags: Validators, secret: Validators = {}) =>
  extractSchema({ public: {}, secret, featureFlags })

describe('notes about a key', () => {
  it.each<[string, Validators[string]]>([
    ['boolean', boolean({ default: false, ...ofFlags })],
    ['zod', z.boolean().default(false).meta(ofFlags)],
    ['zod inside of its default', z.boolean().meta(ofFlags).default(false)],
    ['typed around valibot', typed('boolean', v.boolean(), { default: false, ...ofFlags })],
  ])('are read from %s, and restrict no value', async (_, flag) => {
    const { schema, violations } = await extract({ flag })
    expect(violations).toEqual([])
    expect(schema['flag']).toEqual({
      type: 'boolean',
      tier: 'featureFlags',
      default: false,
      ...ofFlags,
    })
  })

  it('are read from every validator of this package, wrapped ones too', async () => {
    const { schema, violations } = await extract(
      {},
      {
        a: string(notes),
        b: number(notes),
        c: oneOf(['x', 'y'], notes),
        d: optional(string(notes)),
        e: withStoredDefault(string(notes)),
      },
    )
    expect(violations).toEqual([])
    for (const key of ['a', 'b', 'c', 'd', 'e']) expect(schema[key]).toMatchObject(notes)
  })

  it.each<[string, Validators[string], string]>([
    ['a date that does not exist', boolean({ expires: '2027-02-30' }), 'YYYY-MM-DD'],
    ['a tag twice', boolean({ tags: ['a', 'A'] }), 'twice'],
    ['tags of another type', z.boolean().meta({ tags: 'a' }), 'tags'],
    [
      'a difference that is no yes or no',
      z.boolean().meta({ expectedToDiffer: 'a' }),
      'expectedToDiffer',
    ],
    [
      'a variable that programs obey',
      boolean({ variable: 'npm_config_registry' }),
      'could run code',
    ],
    ['a variable with a space', boolean({ variable: 'A B' }), 'letters, digits'],
    ['a variable of another type', z.boolean().meta({ variable: 1 }), 'its variable is not a text'],
  ])('with %s are a fault of the key', async (_, flag, words) => {
    const { violations } = await extract({ flag })
    expect(violations).toMatchObject([{ key: 'flag' }])
    expect(JSON.stringify(violations)).toContain(words)
  })

  it('of a flag are refused for another key', async () => {
    const { violations } = await extract({}, { key: string({ killSwitch: true }) })
    expect(JSON.stringify(violations)).toContain('Only a feature flag can be a kill switch')
  })

  it('name no variable of a secret that bundlers publish', async () => {
    const { violations } = await extract({}, { key: string({ variable: 'VITE_KEY' }) })
    expect(JSON.stringify(violations)).toContain('bundlers publish a variable called VITE_KEY')
  })
})
