import type { ForeignDeal } from './dealings/foreign-deal.ts'

/** Describes the attributes that an application evaluates a flag for. Example: `{ targetingKey: 'user-4711', plan: 'pro' }`. */
export type EvaluationContext = Readonly<Record<string, unknown>>

/** Names the attribute that identifies the subject of an evaluation, in OpenFeature and here. */
export const targetingKey = 'targetingKey'

/** Lists the comparators that `value` of a `semver` condition may begin with. Without one it means `=`. */
export const semverComparators = ['>=', '<=', '>', '<', '='] as const

/** Names an operator that compares texts. */
export type TextOperator = 'startsWith' | 'endsWith' | 'contains'
/** Names an operator that compares numbers. */
export type NumberOperator = 'greater' | 'greaterOrEqual' | 'less' | 'lessOrEqual'

interface AboutAttribute {
  /** Names a member of the context, at its top level. */
  readonly attribute: string
  /** Negates the condition. */
  readonly not?: true | undefined
}

type Plain = string | number | boolean

/**
 * Describes a share as a condition: unlike a rollout, it lets those who are out pass to the next rule. Without `deal` it goes
 * by the buckets of the flag, as a rollout does. Example: `{ attribute: 'targetingKey', operator: 'share', percent: 10 }`.
 */
export interface ShareCondition extends AboutAttribute {
  readonly operator: 'share'
  /** Holds the share: 0 to 100, with up to three decimals. */
  readonly percent: number
  /** Keeps the choice of another product, from which the flag was imported. */
  readonly deal?: ForeignDeal | undefined
}

/**
 * Describes a condition about one attribute. When the context has no such attribute, or one of another type, it is
 * false, and true with `not`.
 */
export type AttributeCondition =
  | (AboutAttribute & { readonly operator: 'equals'; readonly value: Plain })
  | (AboutAttribute & { readonly operator: 'in'; readonly values: readonly Plain[] })
  | (AboutAttribute & { readonly operator: TextOperator; readonly value: string })
  | (AboutAttribute & {
      readonly operator: NumberOperator
      readonly value: number
    })
  /** Example: `{ attribute: 'appVersion', operator: 'semver', value: '>=2.1.0' }`. */
  | (AboutAttribute & { readonly operator: 'semver'; readonly value: string })
  | (AboutAttribute & { readonly operator: 'exists' })
  | ShareCondition

/** Describes a condition that holds for the contexts in a segment. Example: `{ operator: 'segment', segment: 'staff' }`. */
export interface SegmentCondition {
  readonly operator: 'segment'
  /** Names a segment of the organization. */
  readonly segment: string
  /** Negates the condition. */
  readonly not?: true | undefined
}

/** Describes a condition of a rule. */
export type FlagCondition = AttributeCondition | SegmentCondition

/** Describes a group of a segment: a context is in the group when all conditions hold. */
export interface SegmentGroup {
  readonly when: readonly AttributeCondition[]
}

/** Maps the name of a segment to its groups. A context is in the segment when it is in one of them. */
export type Segments = Readonly<Record<string, readonly SegmentGroup[]>>

/** Serves true to a share of contexts, always to the same ones. */
export interface FlagRollout {
  /** Holds the share: 0 to 100, with up to three decimals. */
  readonly percent: number
  /** Names the attribute that decides. Default `targetingKey`. */
  readonly by?: string | undefined
}

/** Decides a flag for every context that meets all conditions. Example: `{ when: [], serve: { percent: 10 } }`. */
export interface FlagRule {
  readonly description?: string | undefined
  /** Lists the conditions. Empty: everyone. */
  readonly when: readonly FlagCondition[]
  readonly serve: boolean | FlagRollout
  /** Says that this rule turns the flag off, and what is kept aside meanwhile: see `turnOff`. */
  readonly aside?: Aside | undefined
}

/**
 * Names the value that a flag had for everyone else when it was turned off. `none`: the environment had none of its own.
 */
export type Aside = 'on' | 'off' | 'none'

/** Describes a rule as clients get it: its segments are written out. */
export interface WrittenRule extends FlagRule {
  readonly when: readonly AttributeCondition[]
}

/** Maps the name of a flag to its rules as clients get them, in their order. Flags without rules are absent. */
export type FlagRules = Readonly<Record<string, readonly WrittenRule[]>>

/** Returns the rules as they are stored: equal rules have the same members in the same order. */
export function normalizeRules(rules: readonly FlagRule[]): readonly FlagRule[] {
  return rules.map(({ description, when, serve, aside }) => ({
    ...(description !== undefined && description !== '' && { description }),
    when: when.map(normalizeCondition),
    serve: typeof serve === 'boolean' ? serve : normalizeRollout(serve),
    ...(aside !== undefined && { aside }),
  }))
}

function normalizeRollout({ percent, by }: FlagRollout): FlagRollout {
  return { percent, ...(by !== undefined && by !== targetingKey && { by }) }
}

/** Returns the groups of a segment as they are stored: equal groups have the same members in the same order. */
export function normalizeGroups(groups: readonly SegmentGroup[]): readonly SegmentGroup[] {
  return groups.map(({ when }) => ({ when: when.map(normalizeAttributeCondition) }))
}

function normalizeCondition(condition: FlagCondition): FlagCondition {
  if (condition.operator !== 'segment') return normalizeAttributeCondition(condition)
  const { operator, segment, not } = condition
  return { operator, segment, ...(not === true && { not }) }
}

function normalizeAttributeCondition(condition: AttributeCondition): AttributeCondition {
  if (condition.operator === 'share') return normalizeShare(condition)
  const { attribute, operator, not, ...rest } = condition
  // The members of a condition in another order are that condition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { attribute, operator, ...rest, ...(not === true && { not }) } as AttributeCondition
}

function normalizeShare({
  attribute,
  operator,
  percent,
  deal,
  not,
}: ShareCondition): ShareCondition {
  return {
    attribute,
    operator,
    percent,
    ...(deal !== undefined && { deal: { as: deal.as, key: deal.key } }),
    ...(not === true && { not }),
  }
}
