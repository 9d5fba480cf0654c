import { targetingKey } from '@signalbox/contract'
import type { FlagRules } from '../matrix.ts'
import {
  noConditionErrors,
  parseConditions,
  toConditionDraft,
  type ConditionDraft,
  type ConditionErrors,
} from './condition-draft.ts'
import { parsePercent } from './condition-tests.ts'

/** Describes a rule while it is edited. */
export interface RuleDraft {
  readonly description: string
  readonly conditions: readonly ConditionDraft[]
  readonly serves: 'on' | 'off' | 'share'
  /** Holds what a person typed as the percentage. */
  readonly percent: string
  /** Names the attribute that decides who is in the share. */
  readonly by: string
}

/** Holds the errors of a draft: of the share, and of the conditions. */
export interface DraftErrors {
  readonly percent?: string
  readonly conditions: ConditionErrors
}

/** Returns the draft of a rule, or of a new one. */
export function toRuleDraft(rule: FlagRules[number]): RuleDraft {
  const { description = '', when, serve } = rule
  const share = typeof serve === 'boolean' ? { percent: 10 } : serve
  return {
    description,
    conditions: when.map(toConditionDraft),
    serves: typeof serve !== 'boolean' ? 'share' : serve ? 'on' : 'off',
    percent: String(share.percent),
    by: share.by ?? targetingKey,
  }
}

/** Returns the rule of a draft, or what is wrong with it. */
export function parseRuleDraft(
  draft: RuleDraft,
): { readonly rule: FlagRules[number] } | { readonly errors: DraftErrors } {
  const parsed = parseConditions(draft.conditions)
  const serve = parseServe(draft)
  if (serve === undefined || 'errors' in parsed) {
    const percent = 'Type a percentage from 0 to 100, with up to three decimals.'
    const conditions = 'errors' in parsed ? parsed.errors : noConditionErrors
    return { errors: { conditions, ...(serve === undefined && { percent }) } }
  }
  const description = draft.description.trim()
  return { rule: { ...(description !== '' && { description }), when: [...parsed.when], serve } }
}

function parseServe({ serves, percent, by }: RuleDraft): FlagRules[number]['serve'] | undefined {
  if (serves !== 'share') return serves === 'on'
  const share = parsePercent(percent)
  if (share === undefined) return undefined
  const unit = by.trim()
  return { percent: share, ...(unit !== '' && unit !== targetingKey && { by: unit }) }
}

/** Returns the index of the first rule that decides for everyone, or the end of the list: no later rule is asked. */
export function findLastAsked(rules: FlagRules): number {
  const index = rules.findIndex(
    ({ when, serve }) =>
      when.length === 0 &&
      (typeof serve === 'boolean' || (serve.by ?? targetingKey) === targetingKey),
  )
  return index === -1 ? rules.length : index
}

/** Moves a rule to another place, and returns the list. */
export function moveRule(rules: FlagRules, from: number, to: number): FlagRules {
  const rest = rules.filter((_, index) => index !== from)
  const moved = rules[from]
  return moved === undefined ? rules : [...rest.slice(0, to), moved, ...rest.slice(to)]
}
