import { z } from 'zod/v4'
import {
  countBuckets,
  dealings,
  findAsideViolation,
  isTurnedOff,
  type NumberOperator,
  type TextOperator,
  parseVersionRange,
} from '../../flags/index.ts'
import { limits } from '../../limits.ts'
import { describeVariantName, variantNamePattern } from '../../variants.ts'
import { configValue, id, resourceName } from '../shapes.ts'

const text = z.string().max(limits.ruleTextCharacters)
const attribute = z.string().min(1).max(128)
const about = { attribute, not: z.literal(true).optional() }
const plain = z.union([text, z.number(), z.boolean()])

const textCondition = <Operator extends TextOperator>(operator: Operator) =>
  z.strictObject({ ...about, operator: z.literal(operator), value: text.min(1) })

const numberCondition = <Operator extends NumberOperator>(operator: Operator) =>
  z.strictObject({ ...about, operator: z.literal(operator), value: z.number() })

/** A multiple of a thousandth: the buckets have no finer resolution. */
const percent = z.number().min(0).max(100).multipleOf(0.001)

/** Keeps the choice of users that another product made. */
const foreignDeal = z
  .strictObject({
    as: z.enum(dealings, `Name a product whose choice a share can keep: ${dealings.join(', ')}.`),
    key: z.string().min(1).max(limits.dealKeyCharacters),
  })
  .meta({ id: 'ForeignDeal' })

/** Each operator has its own shape, so that a violation gets its own pointer. */
const attributeConditions = [
  z.strictObject({ ...about, operator: z.literal('equals'), value: plain }),
  z.strictObject({
    ...about,
    operator: z.literal('in'),
    values: z.array(plain).min(1).max(limits.valuesPerCondition),
  }),
  textCondition('startsWith'),
  textCondition('endsWith'),
  textCondition('contains'),
  numberCondition('greater'),
  numberCondition('greaterOrEqual'),
  numberCondition('less'),
  numberCondition('lessOrEqual'),
  z.strictObject({
    ...about,
    operator: z.literal('semver'),
    value: text.refine(
      (range) => parseVersionRange(range) !== undefined,
      'Use a version as SemVer 2.0 writes it, such as ">=2.1.0".',
    ),
  }),
  z.strictObject({ ...about, operator: z.literal('exists') }),
  z.strictObject({ ...about, operator: z.literal('share'), percent, deal: foreignDeal.optional() }),
] as const

const segmentCondition = z.strictObject({
  operator: z.literal('segment'),
  segment: resourceName,
  not: z.literal(true).optional(),
})

const unknownOperator = 'Use a known operator.'

const flagCondition = z
  .discriminatedUnion('operator', [...attributeConditions, segmentCondition], unknownOperator)
  .meta({ id: 'FlagCondition' })

/** Describes a condition about one attribute, without a segment. */
const attributeCondition = z
  .discriminatedUnion('operator', attributeConditions, {
    error: ({ input }) =>
      namesSegment(input)
        ? 'A segment can’t refer to another segment. Write its conditions here.'
        : unknownOperator,
  })
  .meta({ id: 'AttributeCondition' })

function namesSegment(condition: unknown): boolean {
  return (
    typeof condition === 'object' &&
    condition !== null &&
    'operator' in condition &&
    condition.operator === 'segment'
  )
}

const variant = z.string().regex(variantNamePattern, describeVariantName)
const value = configValue
const by = attribute.optional()

/** Describes a division among values or variants. Its shares add up to 100. */
const split = z
  .array(z.union([z.strictObject({ value, percent }), z.strictObject({ variant, percent })]))
  .min(1)
  .max(limits.partsPerSplit)
  .refine(
    // Counted in buckets, because 33.3 + 33.3 + 33.4 is not 100.
    (parts) =>
      parts.length === 0 ||
      parts.reduce((sum, part) => sum + countBuckets(part.percent), 0) === countBuckets(100),
    'The shares of a split add up to 100.',
  )

const serve = z
  .union(
    [
      z.boolean(),
      z.strictObject({ percent, by }),
      z.strictObject({ value }),
      z.strictObject({ variant }),
      z.strictObject({ split, by }),
    ],
    'Serve true, false, a share of true ({ "percent": 10 }), a value ({ "value": 50 }), a variant ({ "variant": "blue" }) or a split.',
  )
  .meta({ id: 'Serve' })

/**
 * Describes a rule. `when`: the conditions about the context, which must all hold. `serve`: of a flag a boolean, or a share that
 * gets `true`; of a targeted key a value; of a flag with variants one of them; or a split among those.
 */
export const flagRule = z
  .strictObject({
    /** Identifies the rule. Left out, the rule keeps the id of an equal rule that is stored, or gets a new one. */
    id: id('rul').optional(),
    description: text.optional(),
    when: z.array(flagCondition).max(limits.conditionsPerRule),
    serve,
    /**
     * Says that the flag is turned off, in the first rule of its list, and keeps the value for everyone else that waits
     * (`none`: the environment had none of its own). Written by `turn` of a change set.
     */
    aside: z.enum(['on', 'off', 'none']).optional(),
  })
  .meta({ id: 'FlagRule' })

/** Describes the rules of a flag in their order. A rule that turns the flag off comes on top of their number. */
export const flagRules = z
  .array(flagRule)
  .max(limits.rulesPerFlag + 1)
  .superRefine((rules, context) => {
    const isTooLong = rules.length > limits.rulesPerFlag && !isTurnedOff(rules)
    const message = isTooLong
      ? `Use at most ${limits.rulesPerFlag} rules.`
      : (findAsideViolation(rules) ?? findTwinViolation(rules))
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** Returns that two rules have the same id, if two have. */
function findTwinViolation(rules: readonly { readonly id?: string | undefined }[]) {
  const ids = rules.flatMap((rule) => rule.id ?? [])
  const twin = ids.find((one, index) => ids.indexOf(one) !== index)
  return twin && `Two rules have the id ${twin}. Leave the id of one of them out.`
}

/** Describes rules as an answer has them. */
export type ShownRules = z.input<typeof flagRules>

/** Describes the rules of a flag as clients get them: the segments are written out. */
export const writtenRules = z.array(
  flagRule
    .omit({ aside: true })
    .extend({ when: z.array(attributeCondition) })
    .meta({ id: 'WrittenRule' }),
)

/** Describes a targeted key, or a flag with variants, as clients get it. */
export const targeting = z
  .object({
    rules: writtenRules,
    variants: z.array(z.object({ name: z.string(), on: z.boolean() })).optional(),
  })
  .meta({ id: 'Targeting' })

/** Describes the groups of a segment. A context is in the segment when all conditions of one group hold. */
export const segmentGroups = z
  .array(
    z
      .strictObject({ when: z.array(attributeCondition).min(1).max(limits.conditionsPerRule) })
      .meta({ id: 'SegmentGroup' }),
  )
  .min(1)
  .max(limits.groupsPerSegment)
