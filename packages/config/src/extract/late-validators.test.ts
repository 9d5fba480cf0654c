import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineConfig, string } from '../index.ts'
import { extractSchema, validateWithin } from './index.ts'

const never = z.string().refine(() => new Promise<boolean>(() => undefined))
const loops = z.string().refine(() => {
  for (;;);
})
const backtracks = z.string().regex(/^(?:x+)+y$/)
const limitMs = 150

/** Counts the values that it is asked about, and answers none. */
function createSilent(): StandardSchemaV1<string, string> & { asked: number } {
  const silent = {
    asked: 0,
    '~standard': {
      version: 1 as const,
      vendor: 'by hand',
      validate: () => {
        silent.asked += 1
        for (;;);
      },
    },
  }
  return silent
}

describe('a validator that does not answer', () => {
  it.each([
    ['waits for ever', never],
    ['loops for ever', loops],
    ['backtracks for years', backtracks],
  ])('is a fault of its key, and of no other, when it %s', async (_, validator) => {
    const config = defineConfig({ public: { slow: validator, fine: string() } })
    const { schema, violations } = await extractSchema(config, { limitMs })
    expect(violations).toMatchObject([
      { key: 'slow', detail: 'has a validator that did not answer within 0.15 s' },
    ])
    expect(Object.keys(schema)).toEqual(['fine'])
  })

  it('is asked about one value, and about no other after it', async () => {
    const silent = createSilent()
    const { violations } = await extractSchema(
      { public: {}, secret: { silent }, featureFlags: {} },
      { limitMs },
    )
    expect(violations).toHaveLength(1)
    expect(silent.asked).toBe(1)
  })
})

describe('validateWithin', () => {
  const throws = z.string().refine(() => {
    throw new Error('quotes the value')
  })

  it.each([
    ['accepted', string(), 'a', { outcome: 'accepted', value: 'a' }],
    ['refused', string(), 1, { outcome: 'refused', messages: ['must be a string'] }],
    ['failed', throws, 'a', { outcome: 'failed' }],
    ['late', never, 'a', { outcome: 'late' }],
    ['late', loops, 'a', { outcome: 'late' }],
  ])('answers %s', async (_, validator, value, verdict) => {
    expect(await validateWithin(validator, value, limitMs)).toEqual(verdict)
  })
})
