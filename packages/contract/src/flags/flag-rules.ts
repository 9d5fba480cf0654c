import type { ConfigValue } from '../values/value-types.ts'
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

/** Describes a value that a rule compares with an attribute. */
export type PlainValue = string | number | boolean

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
  | (AboutAttribute & { readonly operator: 'equals'; readonly value: PlainValue })
  | (AboutAttribute & { readonly operator: 'in'; readonly values: readonly PlainValue[] })
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

/** Serves a value of a targeted key. Example: `{ value: 50 }`. */
export interface ServedValue {
  readonly value: ConfigValue
}

/** Serves a variant of a flag that declares variants. Example: `{ variant: 'blue' }`. */
export interface ServedVariant {
  readonly variant: string
}

/** Describes a part of a split: what it serves, and its share: 0 to 100, with up to three decimals. */
export type SplitPart = (ServedValue | ServedVariant) & { readonly percent: number }

/**
 * Divides contexts among values or variants, always in the same way. The shares add up to 100. Example: `{ split: [{ variant:
 * 'control', percent: 50 }, { variant: 'blue', percent: 50 }] }`.
 */
export interface ServedSplit {
  readonly split: readonly SplitPart[]
  /** Names the attribute that decides. Default `targetingKey`. */
  readonly by?: string | undefined
}

/** Describes what a rule serves: of a flag a boolean or a share, of a targeted key a value, of a flag with variants one of them. */
export type Serve = boolean | FlagRollout | ServedValue | ServedVariant | ServedSplit

/** Describes a variant of a flag. Example: `{ name: 'blue', on: true }`. */
export interface FlagVariant {
  readonly name: string
  /** Says whether the flag is on with it, for readers that know on and off alone. */
  readonly on: boolean
}

/** Decides a key for every context that meets all conditions. Example: `{ when: [], serve: { percent: 10 } }`. */
export interface FlagRule {
  /** Identifies the rule through edits, promotions and restores: `rul_…`. Absent until it is stored. */
  readonly id?: string | undefined
  readonly description?: string | undefined
  /** Lists the conditions. Empty: everyone. */
  readonly when: readonly FlagCondition[]
  readonly serve: Serve
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

/** Describes a targeted key or a flag with variants, as clients get it. */
export interface Targeting {
  readonly rules: readonly WrittenRule[]
  /** Absent for a key that is no flag. */
  readonly variants?: readonly FlagVariant[]
}

/** Reads published rules: the list of a plain flag, or a `Targeting`. The publisher has checked them. */
export function parseTargeting(text: string): Targeting {
  const read: Targeting | readonly WrittenRule[] = JSON.parse(text)
  return 'rules' in read ? read : { rules: read }
}
