import {
  countBuckets,
  isConfigValue,
  nameServed,
  targetingKey,
  type ConfigValue,
  type Serve,
  type SplitPart,
} from '@signalbox/contract'
import type { FlagRules, MatrixKey } from '../matrix.ts'
import { parseValueOf, toEditText } from '../parse-value.ts'
import {
  noConditionErrors,
  parseConditions,
  toConditionDraft,
  type ConditionDraft,
  type ConditionErrors,
} from './condition-draft.ts'
import { parsePercent } from './condition-tests.ts'

/** Describes what the rules of a key can serve. */
export type RuledRow = Pick<MatrixKey, 'tier' | 'type' | 'constraints' | 'variants'>

/** Describes a part of a split while it is edited: the value or the variant as a text, and the percentage. */
export interface PartDraft {
  readonly served: string
  readonly percent: string
}

/** Describes a rule while it is edited. */
export interface RuleDraft {
  readonly id: string | undefined
  readonly description: string
  readonly conditions: readonly ConditionDraft[]
  readonly serves: 'on' | 'off' | 'share' | 'one' | 'split'
  /** Holds what a person typed as the percentage. */
  readonly percent: string
  /** Names the attribute that decides who is in the share. */
  readonly by: string
  /** Holds the value as it was typed, or the variant. */
  readonly served: string
  readonly parts: readonly PartDraft[]
}

/** Describes what is wrong with what a rule serves, and the field that it is about. */
export interface ServeError {
  readonly detail: string
  readonly field: 'served' | 'percent'
  /** Holds the index of the part of a split. Absent: it is about the only field, or about all parts. */
  readonly part?: number
}

/** Holds the errors of a draft: of what it serves, and of the conditions. */
export interface DraftErrors {
  readonly serve?: ServeError
  readonly conditions: ConditionErrors
}

/** Returns the rule that a form begins with: on for a flag, its first variant or the value of everyone else for other keys. */
export function newRule({ tier, variants }: RuledRow, value: unknown): FlagRules[number] {
  const [variant] = variants?.filter(({ on }) => on) ?? []
  if (variant !== undefined) return { when: [], serve: { variant: variant.name } }
  if (tier === 'featureFlags') return { when: [], serve: true }
  return { when: [], serve: { value: isConfigValue(value) ? value : '' } }
}

/** Returns the draft of a rule, or of a new one. */
export function toRuleDraft(rule: FlagRules[number]): RuleDraft {
  const { id, description = '', when, serve } = rule
  const isDivided = typeof serve === 'object' && ('percent' in serve || 'split' in serve)
  const parts = typeof serve === 'object' && 'split' in serve ? serve.split.map(toPartDraft) : []
  const served = typeof serve === 'object' ? toServedText(serve) : ''
  return {
    id,
    description,
    conditions: when.map(toConditionDraft),
    serves: toServes(serve),
    percent: String(typeof serve === 'object' && 'percent' in serve ? serve.percent : 10),
    by: (isDivided ? serve.by : undefined) ?? targetingKey,
    served,
    parts:
      parts.length > 0
        ? parts
        : [
            { served, percent: '50' },
            { served, percent: '50' },
          ],
  }
}

function toServes(serve: Serve): RuleDraft['serves'] {
  if (typeof serve === 'boolean') return serve ? 'on' : 'off'
  if ('percent' in serve) return 'share'
  return 'split' in serve ? 'split' : 'one'
}

function toPartDraft(part: SplitPart): PartDraft {
  return { served: toServedText(part), percent: String(part.percent) }
}

function toServedText(serve: object): string {
  if ('variant' in serve) return String(serve.variant)
  if (!('value' in serve)) return ''
  return typeof serve.value === 'boolean' ? nameServed(serve.value) : toServedValueText(serve.value)
}

function toServedValueText(value: unknown): string {
  return isConfigValue(value) ? toEditText(value) : ''
}

/** Returns the rule of a draft, or what is wrong with it. */
export function parseRuleDraft(
  draft: RuleDraft,
  row: RuledRow,
): { readonly rule: FlagRules[number] } | { readonly errors: DraftErrors } {
  const parsed = parseConditions(draft.conditions)
  const served = parseServe(draft, row)
  if ('error' in served || 'errors' in parsed) {
    const conditions = 'errors' in parsed ? parsed.errors : noConditionErrors
    return { errors: { conditions, ...('error' in served && { serve: served.error }) } }
  }
  const description = draft.description.trim()
  return {
    rule: {
      ...(draft.id !== undefined && { id: draft.id }),
      ...(description !== '' && { description }),
      when: [...parsed.when],
      serve: served.serve,
    },
  }
}

type ServeOfRule = FlagRules[number]['serve']
type ParsedServe = { readonly serve: ServeOfRule } | { readonly error: ServeError }

const percentError = {
  field: 'percent',
  detail: 'Type a percentage from 0 to 100, with up to three decimals.',
} as const

function parseServe(draft: RuleDraft, row: RuledRow): ParsedServe {
  const { serves, percent, by } = draft
  if (serves === 'on' || serves === 'off') return { serve: serves === 'on' }
  if (serves === 'one') {
    const served = parseServed(draft.served, row)
    return 'error' in served ? served : { serve: served }
  }
  const unit = by.trim()
  const divided = unit !== '' && unit !== targetingKey && { by: unit }
  if (serves === 'split') {
    const split = parseParts(draft.parts, row)
    return 'error' in split ? split : { serve: { ...split, ...divided } }
  }
  const share = parsePercent(percent)
  return share === undefined ? { error: percentError } : { serve: { percent: share, ...divided } }
}

type Served = { value: ConfigValue } | { variant: string }

function parseServed(text: string, row: RuledRow): Served | { readonly error: ServeError } {
  if (row.variants !== undefined) {
    return row.variants.some(({ name }) => name === text)
      ? { variant: text }
      : { error: { field: 'served', detail: 'Choose a variant.' } }
  }
  const parsed = parseValueOf(row, text)
  return parsed.ok ? { value: parsed.value } : { error: { field: 'served', detail: parsed.error } }
}

function parseParts(
  parts: readonly PartDraft[],
  row: RuledRow,
): { split: (Served & { percent: number })[] } | { readonly error: ServeError } {
  const split: (Served & { percent: number })[] = []
  for (const [part, { served, percent }] of parts.entries()) {
    const one = parseServed(served, row)
    const share = parsePercent(percent)
    if ('error' in one) return { error: { ...one.error, part } }
    if (share === undefined) return { error: { ...percentError, part } }
    split.push({ ...one, percent: share })
  }
  const buckets = split.reduce((sum, part) => sum + countBuckets(part.percent), 0)
  if (buckets === countBuckets(100)) return { split }
  const total = (buckets * 100) / countBuckets(100)
  return {
    error: { field: 'percent', detail: `The percentages add up to ${total}, and have to be 100.` },
  }
}

/** Moves a rule to another place, and returns the list. */
export function moveRule(rules: FlagRules, from: number, to: number): FlagRules {
  const rest = rules.filter((_, index) => index !== from)
  const moved = rules[from]
  return moved === undefined ? rules : [...rest.slice(0, to), moved, ...rest.slice(to)]
}
