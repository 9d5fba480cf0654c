import {
  createCondition,
  noConditionErrors,
  parseConditions,
  toConditionDraft,
  type ConditionDraft,
  type ConditionErrors,
} from '../rules/condition-draft.ts'
import type { Condition } from '../rules/condition-tests.ts'
import type { Groups, Segment } from './use-segments.ts'

/** Describes a group of a segment while it is edited. */
export interface GroupDraft {
  /** Identifies the draft while others are added and removed. */
  readonly id: number
  readonly conditions: readonly ConditionDraft[]
}

/** Describes a segment while it is edited. */
export interface SegmentDraft {
  readonly name: string
  readonly description: string
  readonly groups: readonly GroupDraft[]
}

/** Holds the errors of a draft: of its groups by their ids, and of the conditions of all groups. */
export interface SegmentErrors {
  readonly groups: ReadonlyMap<number, string>
  readonly conditions: ConditionErrors
}

let lastId = 0

/** Returns a group with a condition that is still to be filled in. */
export function createGroup(conditions: readonly ConditionDraft[] = [createCondition()]) {
  lastId += 1
  return { id: lastId, conditions }
}

/** Returns the draft of a segment, or of a new one. */
export function toSegmentDraft(segment: Segment | undefined): SegmentDraft {
  if (segment === undefined) return { name: '', description: '', groups: [createGroup()] }
  const { name, description, anyOf } = segment
  return {
    name,
    description,
    groups: anyOf.map(({ when }) => createGroup(when.map(toConditionDraft))),
  }
}

export const noSegmentErrors: SegmentErrors = { groups: new Map(), conditions: noConditionErrors }

/** Returns the groups of a draft, or what is wrong with them. */
export function parseGroups(
  drafts: readonly GroupDraft[],
): { readonly anyOf: Groups } | { readonly errors: SegmentErrors } {
  const groups = new Map<number, string>()
  const attributes = new Map<number, string>()
  const values = new Map<number, string>()
  const anyOf: Groups = []
  for (const { id, conditions } of drafts) {
    const parsed = parseConditions(conditions)
    if (conditions.length === 0) groups.set(id, 'Add a condition, or remove the group.')
    if ('when' in parsed) anyOf.push({ when: parsed.when.filter(isAboutAttribute) })
    else {
      for (const [condition, error] of parsed.errors.attributes) attributes.set(condition, error)
      for (const [condition, error] of parsed.errors.values) values.set(condition, error)
    }
  }
  return groups.size > 0 || anyOf.length < drafts.length
    ? { errors: { groups, conditions: { attributes, values } } }
    : { anyOf }
}

/** Returns whether a condition asks for an attribute. A segment refers to no segment, and its editor offers none. */
function isAboutAttribute(
  condition: Condition,
): condition is Exclude<Condition, { operator: 'segment' }> {
  return condition.operator !== 'segment'
}

/** Returns the content of a draft as one text, to detect edits. */
export function toDraftText({ name, description, groups }: SegmentDraft): string {
  const conditions = groups.map((group) =>
    group.conditions.map(({ attribute, test, not, text }) => [attribute, test.id, not, text]),
  )
  return JSON.stringify([name, description, conditions])
}
