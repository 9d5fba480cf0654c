import { z } from 'zod/v4'
import {
  dealings,
  findAsideViolation,
  isTurnedOff,
  type NumberOperator,
  type TextOperator,
  parseVersionRange,
} from '../../flags/index.ts'
import { limits } from '../../limits.ts'
import { resourceName } from '../shapes.ts'

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

const flagRollout = z.strictObject({
  percent,
  by: attribute.optional(),
})

/**
 * Describes a rule of a flag. `when`: the conditions about the context, which must all hold. `serve`: the value, or a
 * share that gets `true`.
 */
export const flagRule = z
  .strictObject({
    description: text.optional(),
    when: z.array(flagCondition).max(limits.conditionsPerRule),
    serve: z.union([z.boolean(), flagRollout]),
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
      : findAsideViolation(rules)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** Describes rules as an answer has them. */
export type ShownRules = z.input<typeof flagRules>

/** Describes the rules of a flag as clients get them: the segments are written out. */
export const writtenRules = z.array(
  flagRule
    .omit({ aside: true })
    .extend({ when: z.array(attributeCondition) })
    .meta({ id: 'WrittenRule' }),
)

/** Describes the groups of a segment. A context is in the segment when all conditions of one group hold. */
export const segmentGroups = z
  .array(
    z
      .strictObject({ when: z.array(attributeCondition).min(1).max(limits.conditionsPerRule) })
      .meta({ id: 'SegmentGroup' }),
  )
  .min(1)
  .max(limits.groupsPerSegment)
