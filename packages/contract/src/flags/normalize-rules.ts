import { toCanonical } from '../values/json-value.ts'
import {
  targetingKey,
  type AttributeCondition,
  type FlagCondition,
  type FlagRule,
  type SegmentGroup,
  type Serve,
  type ServedValue,
  type ServedVariant,
  type ShareCondition,
  type SplitPart,
} from './flag-rules.ts'

/** Returns the rules as they are stored: equal rules have the same members in the same order. */
export function normalizeRules(rules: readonly FlagRule[]): readonly FlagRule[] {
  return rules.map(({ id, description, when, serve, aside }) => ({
    ...(id !== undefined && { id }),
    ...(description !== undefined && description !== '' && { description }),
    when: when.map(normalizeCondition),
    serve: normalizeServe(serve),
    ...(aside !== undefined && { aside }),
  }))
}

function normalizeServe(serve: Serve): Serve {
  if (typeof serve === 'boolean') return serve
  if ('percent' in serve) return { percent: serve.percent, ...normalizeUnit(serve) }
  if ('split' in serve) return { split: serve.split.map(normalizePart), ...normalizeUnit(serve) }
  return normalizeServed(serve)
}

function normalizeUnit({ by }: { readonly by?: string | undefined }) {
  return by !== undefined && by !== targetingKey && { by }
}

function normalizePart(part: SplitPart): SplitPart {
  return { ...normalizeServed(part), percent: part.percent }
}

function normalizeServed(served: ServedValue | ServedVariant): ServedValue | ServedVariant {
  return 'variant' in served ? { variant: served.variant } : { value: toCanonical(served.value) }
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
