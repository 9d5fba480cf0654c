import type { StandardSchemaV1 } from '@standard-schema/spec'
import { Script } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { defineConfig, string } from '../index.ts'
import { extractSchema, validateWithin } from './index.ts'

const never = z.string().refine(() => new Promise<boolean>(() => undefined))
const backtracks = z.string().regex(/^(?:x+)+y$/)
const limitMs = 500

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
    ['backtracks for years', backtracks],
  ])('is a fault of its key, and of no other, when it %s', async (_, validator) => {
    const config = defineConfig({ public: { slow: validator, fine: string() } })
    const { schema, violations } = await extractSchema(config, { limitMs })
    expect(violations).toMatchObject([
      { key: 'slow', detail: 'has a validator that did not answer within 0.5 s' },
    ])
    expect(Object.keys(schema)).toEqual(['fine'])
  })

  it('is asked about one value, and about no other after it, when it loops for ever', async () => {
    const silent = createSilent()
    const { violations } = await extractSchema(
      { public: {}, secret: { silent }, featureFlags: {} },
      { limitMs },
    )
    expect(violations).toHaveLength(1)
    expect(silent.asked).toBe(1)
  })
})

describe('a validator that answers', () => {
  it('is watched a few times for all samples of all keys, because each time takes as long as many of them', async () => {
    const runs = vi.spyOn(Script.prototype, 'runInContext')
    const names = Array.from({ length: 50 }, (_, index) => `key${index}`)
    const fine = Object.fromEntries(names.map((name) => [name, z.string().trim().default('x')]))
    await extractSchema({ public: fine, secret: {}, featureFlags: {} })
    expect(runs.mock.calls.length).toBeLessThanOrEqual(3)
    runs.mockRestore()
  })

  it('is not late for the time that another one takes', async () => {
    const slow = z.string().refine((text) => {
      const endMs = performance.now() + (text === 'text' ? 700 : 0)
      while (performance.now() < endMs);
      return true
    })
    const config = { public: { slow, fine: string(), other: slow }, secret: {}, featureFlags: {} }
    const { schema } = await extractSchema(config, { limitMs: 1_200 })
    expect(Object.keys(schema)).toEqual(['slow', 'fine', 'other'])
  })

  it('may fail in a promise that nobody waits for after a loop', async () => {
    const fails: StandardSchemaV1 = {
      '~standard': {
        version: 1,
        vendor: 'by hand',
        validate: (value) => {
          if (value === 'text') for (;;);
          return Promise.reject(new Error('quotes the value'))
        },
      },
    }
    const config = { public: { fails }, secret: {}, featureFlags: {} }
    const { violations } = await extractSchema(config, { limitMs })
    expect(violations[0]?.detail).toContain('did not answer')
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
  ])('answers %s', async (_, validator, value, verdict) => {
    expect(await validateWithin(validator, value, limitMs)).toEqual(verdict)
  })
})
