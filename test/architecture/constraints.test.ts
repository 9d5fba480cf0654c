import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fromJsonSchema } from '../../packages/config/src/index.ts'
import {
  constrainedValidators,
  timeWithDefault,
} from '../../packages/config/src/extract/testing/constrained-validators.ts'
import { extractSchema } from '../../packages/config/src/extract/index.ts'
import { violationOf } from '../../packages/config/src/json-schema/fragment.ts'
import { readFragment } from '../../packages/config/src/json-schema/read-fragment.ts'
import { findValueViolation } from '../../packages/server/src/config-model/constraints/check-value.ts'
import { findConstraintViolations } from '../../packages/server/src/config-model/constraints/constraint-vocabulary.ts'
import { parseDefinition } from '../../packages/server/src/config-model/parse-definition.ts'

/** Decimals of every kind, and those beside them. */
const numbers = [
  0,
  1,
  -1,
  0.1,
  0.3,
  0.01,
  0.07,
  2.03,
  19.99,
  -19.99,
  1.1,
  2.2,
  3.3,
  5,
  5.5,
  100,
  1e-7,
  4.35,
  1.005,
  33.33,
  0.0001,
  123_456.78,
  19.995,
  0.15,
  2 ** 53 - 2,
  ...Array.from({ length: 200 }, (_, index) => (index * 7919) / 100),
]
const texts = [
  '',
  'a',
  'abc',
  'abcdefgh',
  'e\u0301',
  'a\nb',
  'x\u2028y',
  ' padded ',
  'sk_',
  'sk_live',
  'https://example.com',
  'https://exämple.com/{id}?x=[1]',
  'http://localhost:3000',
  'x:y',
  '//x',
  'https://example.com/a b',
  'postgres://u:p%40ss@h/db',
  'mailto:a@b.c',
  'HTTPS://A.B',
  'http://',
  'ada@example.com',
  'ada@localhost',
  'A@B.CO',
  '2026-11-21',
  '2026-02-30',
  '06:00',
  '06:00:00',
  '2026-11-21T06:00',
  '2026-11-21T06:00:00Z',
  '2026-11-21T06:00:00.123Z',
  '2026-11-21 06:00',
  '0190b6a4-6b1e-7c3d-8f2a-1d2e3f405162',
  '192.0.2.1',
  '192.0.2.01',
  '2001:db8::1',
  '::',
  'P1D',
]

/** Returns whether a validator takes a value as it is. One that changes it does not. */
async function accepts(
  validator: (typeof constrainedValidators)[string],
  value: unknown,
): Promise<boolean> {
  const result = await validator['~standard'].validate(value)
  return result.issues === undefined && result.value === value
}

const extract = async (validator: unknown) => {
  const config = { public: { it: validator }, secret: {}, featureFlags: {} }
  const { schema, violations } = await extractSchema(config as Parameters<typeof extractSchema>[0])
  return { definition: schema['it'], violations }
}

describe('a constraint', () => {
  it.each(Object.entries(constrainedValidators))(
    'means to the server and to the definition what it means to the validator: %s',
    async (_, validator) => {
      const { definition, violations } = await extract(validator)
      expect(violations).toEqual([])
      if (definition === undefined) return
      const { type: valueType, constraints = {}, partial = false } = definition
      expect(findConstraintViolations(valueType, constraints)).toEqual([])
      const rule = { type: valueType, tier: 'public', required: true, hasDefault: false } as const
      const { fragment } = readFragment({ type: valueType, ...constraints })
      const unlike: unknown[] = []
      for (const value of valueType === 'number' ? numbers : texts) {
        const isAccepted = await accepts(validator, value)
        const isTaken = findValueViolation({ ...rule, constraints }, value) === undefined
        const isRead = violationOf(fragment, value) === undefined
        // A partial key is checked in full by the code alone.
        const isAlike = isTaken === isAccepted || (partial && isTaken)
        // Without a pattern of its own a format is what the server says it is.
        if (!isAlike || (isAccepted && !isRead)) unlike.push({ value, isAccepted, isTaken, isRead })
      }
      expect(unlike).toEqual([])
    },
  )

  it('of which no value is one is refused by `check` as by `push`', async () => {
    for (const validator of [
      z.string().min(5).max(3),
      z.string().min(1.5),
      z.number().min(5).max(3),
      z.number().gt(3).lt(3),
      fromJsonSchema({ type: 'number', multipleOf: -5 }),
    ]) {
      const { violations } = await extract(validator)
      expect(violations).toMatchObject([{ detail: expect.stringContaining('makes no sense') }])
    }
  })
})

describe('a default', () => {
  it.each<[string, unknown]>([
    ['a large number', z.number().default(1e21)],
    ['a NUL', z.string().default('a\0b')],
    ['half of a surrogate pair', z.string().default('\ud800')],
    ['a long text', z.string().default('x'.repeat(70_000))],
  ])('that the server refuses is refused by `check`: %s', async (_, validator) => {
    const { violations } = await extract(validator)
    expect(violations).toMatchObject([{ detail: expect.stringContaining('server refuses') }])
  })

  it.each<[string, unknown]>([
    ['a step', z.number().multipleOf(0.01).default(19.99)],
    ['an address', z.url().default('https://exämple.com/{id}')],
    ['a time', timeWithDefault],
  ])('that `check` accepts is one that `push` stores: %s', async (_, validator) => {
    const { definition } = await extract(validator)
    expect(definition?.default).toBeDefined()
    const parsed = await parseDefinition({ it: definition ?? { type: 'string' } })
    expect(parsed).toHaveProperty('parsed')
  })
})
