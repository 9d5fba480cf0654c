import { describeFlag, describeRule, type ConfigValue } from '@signalbox/contract'
import {
  toValueText,
  type FlagRules,
  type Matrix,
  type MatrixCell,
  type MatrixKey,
} from '../matrix.ts'
import { toEditText } from '../parse-value.ts'
import type { DraftResult, KeyDraft } from '../add-key/key-draft.ts'

/** Describes the value of a key in an environment, before an edit. */
interface StoredValue {
  /** Holds the value that the environment sets itself, as text. `undefined`: none, or a secret. */
  readonly text: string | undefined
  /** Says what holds while the field is empty. */
  readonly emptyText: string
  /** Says what holds before the edit. */
  readonly beforeText: string
  /** Lists the rules that the environment sets itself with the value of a flag. They go with it. */
  readonly rules: FlagRules
}

/** Maps the id of each environment to the value of a key there. */
export type StoredValues = ReadonlyMap<string, StoredValue>

/** Returns the values of a key that exists, as a form shows them. */
export function toStoredValues(
  { environments }: Pick<Matrix, 'environments'>,
  row: MatrixKey,
  draft: KeyDraft,
): StoredValues {
  const isShown = row.tier !== 'secret' && row.type === draft.type
  return new Map(
    environments.flatMap(({ id }, at) => {
      const cell = row.cells[at]
      if (cell === undefined) return []
      const own = isShown && cell.source === 'set' ? cell.value : undefined
      const text = own === undefined ? undefined : toEditText(own)
      const emptyText = toEmptyText(environments, row, cell, draft)
      const beforeText = cell.source === 'set' ? toOwnText(row, cell) : emptyText
      const rules = cell.source === 'set' ? (cell.rules ?? []) : []
      return [[id, { text, emptyText, beforeText, rules }] as const]
    }),
  )
}

function toOwnText({ tier }: MatrixKey, cell: MatrixCell): string {
  if (tier === 'secret' || cell.value === undefined) return 'a secret value (hidden)'
  return cell.value === '' ? 'an empty text' : toStateText(cell)
}

/** Returns a value, or the state of a flag with its rules. Example: `on for 10%`. */
function toStateText({ value, rules = [] }: Pick<MatrixCell, 'value' | 'rules'>): string {
  if (value === undefined) return ''
  return rules.length === 0 ? toValueText(value) : describeFlag({ value, rules })
}

function toEmptyText(
  environments: Matrix['environments'],
  row: MatrixKey,
  cell: MatrixCell,
  { type, defaultText }: KeyDraft,
): string {
  const { source, inheritedFrom, value } = cell
  const text = toStateText(cell)
  if (source === 'set') {
    if (row.tier === 'secret') return 'keeps its secret value'
    if (row.type !== type) return `keeps ${text}`
    return value === '' ? 'an empty text' : 'no value of its own'
  }
  if (source === 'inherited') {
    const parent = environments.find(({ id }) => id === inheritedFrom)?.name ?? 'its parent'
    return row.tier === 'secret' ? `inherits from ${parent}` : `inherits ${text} from ${parent}`
  }
  if (defaultText === '') return 'no value'
  return `default: ${type === 'boolean' ? toValueText(defaultText === 'true') : defaultText}`
}

/** Describes what an edit does to the value of one environment. */
export interface ValueEdit {
  readonly environmentId: string
  /** Holds the new value. `undefined`: the environment sets none of its own any more. */
  readonly value: ConfigValue | undefined
}

/** Returns the edits of values. A field that says what is stored is none, and nor is one that nobody touched. */
export function listValueEdits(
  stored: StoredValues,
  { values }: KeyDraft,
  read: DraftResult,
): readonly ValueEdit[] {
  if (!read.ok) return []
  return Object.entries(values).flatMap(([environmentId, text]) => {
    const before = stored.get(environmentId)?.text
    if (text === (before ?? '')) return []
    return [{ environmentId, value: read.values.get(environmentId) }]
  })
}

/** Describes an edit of a value in words. */
export interface ValueDifference {
  readonly environmentId: string
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Lists the edits of values in words, never a secret. `isSecret`: the key is one after the edit. */
export function describeValueEdits(
  { environments }: Pick<Matrix, 'environments'>,
  stored: StoredValues,
  edits: readonly ValueEdit[],
  isSecret: boolean,
): readonly ValueDifference[] {
  return edits.map(({ environmentId, value }) => {
    const { beforeText = 'no value', rules = [] } = stored.get(environmentId) ?? {}
    return {
      environmentId,
      name: `Value in ${environments.find(({ id }) => id === environmentId)?.name ?? environmentId}`,
      before: beforeText,
      after:
        isSecret && value !== undefined ? 'a new secret value (hidden)' : toAfter(value, rules),
    }
  })
}

function toAfter(value: ValueEdit['value'], rules: FlagRules): string {
  if (value !== undefined) return toStateText({ value, rules })
  if (rules.length === 0) return 'no value of its own'
  const removed = rules.map(describeRule).join('; ')
  const noun = rules.length === 1 ? 'rule' : 'rules'
  return `no value of its own. This also removes its ${noun}: ${removed}`
}
