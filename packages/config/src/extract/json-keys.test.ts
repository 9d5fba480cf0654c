import { type } from 'arktype'
import { Schema } from 'effect'
import Joi from 'joi'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { findPartViolation } from '../json-schema/find-part-violation.ts'
import { fromJsonSchema, optional, targeted, typed } from '../index.ts'
import { extractSchema } from './index.ts'

async function extract(validator: unknown, tier: 'public' | 'featureFlags' = 'public') {
  const config = { public: {}, secret: {}, featureFlags: {}, [tier]: { it: validator } }
  const { schema, report, violations } = await extractSchema(config)
  return { definition: schema['it'], report: report['it'], violation: violations[0] }
}

const limit = { type: 'object', properties: { limit: { type: 'number', maximum: 50 } } }

describe('a validator of an object or a list is a key of the type json', () => {
  it.each<[string, unknown]>([
    ['zod', z.object({ limit: z.number().max(50) })],
    ['zod, strict', z.strictObject({ limit: z.number().max(50) })],
    ['valibot', v.object({ limit: v.pipe(v.number(), v.maxValue(50)) })],
    ['arktype', type({ limit: 'number <= 50' })],
    ['joi', Joi.object({ limit: Joi.number().max(50).required() })],
    ['typebox', fromJsonSchema(Type.Object({ limit: Type.Number({ maximum: 50 }) }))],
    ['zod, optional', z.object({ limit: z.number().max(50) }).optional()],
    ['zod in optional', optional(z.object({ limit: z.number().max(50) }))],
  ])('of %s, with its rules', async (_, validator) => {
    const { definition, violation } = await extract(validator)
    expect(violation).toBeUndefined()
    expect(definition).toMatchObject({ type: 'json', tier: 'public', constraints: limit })
    const constraints = definition?.constraints
    expect(findPartViolation(constraints, { limit: 50 })).toBeUndefined()
    expect(findPartViolation(constraints, { limit: 51 })).toBe('limit must be at most 50')
    expect(findPartViolation(constraints, {})).toBe('must have the member limit')
    expect(findPartViolation(constraints, [])).toBe('must be of the type object')
  })

  it('of effect, which writes no rules of members', async () => {
    const { definition } = await extract(
      Schema.toStandardSchemaV1(Schema.Struct({ limit: Schema.Number })),
    )
    expect(definition).toMatchObject({
      type: 'json',
      partial: true,
      constraints: { properties: { limit: { type: 'number' } }, required: ['limit'] },
    })
  })

  it('a list, a record, a tuple and a union are ones too', async () => {
    const definitionOf = async (validator: unknown) => (await extract(validator)).definition
    expect((await definitionOf(z.array(z.string()).max(3)))?.constraints).toEqual({
      type: 'array',
      items: { type: 'string' },
      maxItems: 3,
    })
    expect((await definitionOf(z.record(z.string(), z.boolean())))?.constraints).toMatchObject({
      type: 'object',
      additionalProperties: { type: 'boolean' },
    })
    expect((await definitionOf(z.tuple([z.string(), z.number()])))?.constraints).toMatchObject({
      prefixItems: [{ type: 'string' }, { type: 'number' }],
    })
    const either = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b'), size: z.int() }),
    ])
    const { constraints } = (await definitionOf(either)) ?? {}
    expect(findPartViolation(constraints, { kind: 'b', size: 1 })).toBeUndefined()
    expect(findPartViolation(constraints, { kind: 'b' })).toContain('of its kinds')
  })

  it('has a default, notes, and may be targeted', async () => {
    const validator = targeted(
      z
        .object({ plans: z.array(z.string()), limit: z.number() })
        .default({ plans: ['pro'], limit: 5 })
        .meta({ owner: 'Growth', description: 'The banner' }),
    )
    expect((await extract(validator)).definition).toMatchObject({
      type: 'json',
      default: { limit: 5, plans: ['pro'] },
      owner: 'Growth',
      description: 'The banner',
      targeted: true,
    })
  })

  it('says what the server cannot check, and leaves out no rule without a word', async () => {
    const refined = z.object({ range: z.object({ from: z.number() }).refine(() => true) })
    expect((await extract(refined)).definition?.partial).toBe(true)
    const lookahead = z.object({ name: z.string().regex(/(?=a)b/) })
    const { definition, report } = await extract(lookahead)
    expect(definition).toMatchObject({ partial: true, constraints: { type: 'object' } })
    expect(report?.warnings.join()).toContain('a pattern with lookaround')
    interface Tree {
      readonly children: readonly Tree[]
    }
    const tree: z.ZodType<Tree> = z.object({ children: z.array(z.lazy(() => tree)) })
    const recursive = await extract(tree)
    expect(recursive.definition).toMatchObject({ type: 'json', partial: true })
    expect(recursive.report?.warnings.join()).toContain('what repeats within itself')
  })

  it('declares its type where the validator cannot say it', async () => {
    const standard = {
      '~standard': {
        version: 1,
        vendor: 'by hand',
        validate: (value: unknown) => ({ value: Object(value) }),
      },
    } as const
    expect((await extract(typed('json', standard))).definition).toMatchObject({ type: 'json' })
  })

  it.each<[string, unknown, 'public' | 'featureFlags']>([
    ['a flag', z.object({}), 'featureFlags'],
    ['a date', z.date(), 'public'],
    ['a map', z.map(z.string(), z.string()), 'public'],
    ['what transforms a member', z.object({ at: z.string().transform(Number) }), 'public'],
    ['a text or an object', z.union([z.string(), z.object({})]), 'public'],
    ['null or an object', z.object({}).nullable(), 'public'],
  ])('is refused for %s', async (_, validator, tier) => {
    expect((await extract(validator, tier)).violation).toBeDefined()
  })
})
