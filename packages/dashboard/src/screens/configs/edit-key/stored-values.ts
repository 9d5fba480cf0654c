import type { ConfigValue } from '@signalbox/contract'
import { toValueText, type Matrix, type MatrixCell, type MatrixKey } from '../matrix.ts'
import type { DraftResult, KeyDraft } from '../add-key/key-draft.ts'

/** Describes the value of a key in an environment, before an edit. */
interface StoredValue {
  /** Holds the value that the environment sets itself, as text. `undefined`: none, or a secret. */
  readonly text: string | undefined
  /** Says what holds while the field is empty. */
  readonly emptyText: string
  /** Says what holds before the edit. */
  readonly beforeText: string
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
      const isOwn = isShown && cell.source === 'set' && cell.value !== undefined
      const text = isOwn ? String(cell.value) : undefined
      const emptyText = toEmptyText(environments, row, cell, draft)
      const beforeText = cell.source === 'set' ? toOwnText(row, cell) : emptyText
      return [[id, { text, emptyText, beforeText }] as const]
    }),
  )
}

function toOwnText({ tier }: MatrixKey, { value }: MatrixCell): string {
  if (tier === 'secret' || value === undefined) return 'a secret value (hidden)'
  return value === '' ? 'an empty text' : toValueText(value)
}

function toEmptyText(
  environments: Matrix['environments'],
  row: MatrixKey,
  { source, inheritedFrom, value }: MatrixCell,
  { type, defaultText }: KeyDraft,
): string {
  const text = value === undefined ? '' : toValueText(value)
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
  return edits.map(({ environmentId, value }) => ({
    environmentId,
    name: `Value in ${environments.find(({ id }) => id === environmentId)?.name ?? environmentId}`,
    before: stored.get(environmentId)?.beforeText ?? 'no value',
    after: toAfterText(value, isSecret),
  }))
}

function toAfterText(value: ValueEdit['value'], isSecret: boolean): string {
  if (value === undefined) return 'no value of its own'
  return isSecret ? 'a new secret value (hidden)' : toValueText(value)
}
