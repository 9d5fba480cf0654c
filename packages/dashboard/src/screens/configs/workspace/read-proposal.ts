import { isConfigValue, typeOfValue, type ConfigValue } from '@signalbox/contract'
import { findCell, type CellRef, type FlagRules, type Matrix } from '../matrix.ts'
import { toOffEdit, toOnEdit } from '../notes/kill-edits.ts'
import { toStaged, type Edit, type StagedCell } from '../staged.ts'

const prefix = '#proposal='

interface ProposedChange {
  readonly environmentId: string
  readonly set: Readonly<Record<string, ConfigValue>>
  readonly rules: Readonly<Record<string, unknown>>
  readonly unset: readonly string[]
  readonly turn: Readonly<Record<string, unknown>>
}

/**
 * Reads the changes that an assistant proposes from the fragment of an address, as changes to stage. `undefined`: the
 * address has none. It leaves out keys that the schema lacks, changes without an effect, every secret, and each flag
 * with rules that cannot be shown.
 */
export function readProposal(matrix: Matrix, fragment: string): readonly StagedCell[] | undefined {
  if (!fragment.startsWith(prefix)) return undefined
  return parseChanges(fragment.slice(prefix.length)).flatMap((change) => {
    const keys = new Set([
      ...Object.keys(change.set),
      ...Object.keys(change.rules),
      ...change.unset,
      ...Object.keys(change.turn),
    ])
    return [...keys].flatMap((key) => toStagedCell(matrix, change, key) ?? [])
  })
}

function toStagedCell(matrix: Matrix, change: ProposedChange, key: string): StagedCell | undefined {
  const cellRef = findCell(matrix, { environmentId: change.environmentId, key })
  if (cellRef === undefined || cellRef.row.tier === 'secret') return undefined
  return Object.hasOwn(change.turn, key)
    ? toTurned(cellRef, change.turn[key])
    : toEdited(cellRef, change, key)
}

function toEdited(
  cellRef: CellRef,
  { set, rules, unset }: ProposedChange,
  key: string,
): StagedCell | undefined {
  const value = Object.hasOwn(set, key) ? set[key] : cellRef.cell.value
  const own = Object.hasOwn(rules, key) ? rules[key] : undefined
  // Without its rules a flag would be on for everybody in place of some.
  if (own !== undefined && !isRules(own)) return undefined
  const edit: Edit | undefined = unset.includes(key)
    ? { kind: 'unset' }
    : value === undefined || typeOfValue(value) !== cellRef.row.type
      ? undefined
      : { kind: 'set', value, ...(own !== undefined && { rules: own }) }
  return edit && toStaged(cellRef, edit)
}

/** Returns a flag that is turned, as the press on a kill switch stages it. */
function toTurned(cellRef: CellRef, to: unknown): StagedCell | undefined {
  if (cellRef.row.tier !== 'featureFlags') return undefined
  const edit = to === 'off' ? toOffEdit(cellRef) : to === 'on' ? toOnEdit(cellRef) : undefined
  return edit && toStaged(cellRef, edit)
}

/** Returns the changes of a text that anybody may have written. */
function parseChanges(text: string): readonly ProposedChange[] {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
      each.charCodeAt(0),
    )
    const { changes }: { readonly changes?: unknown } = JSON.parse(new TextDecoder().decode(bytes))
    return Array.isArray(changes) ? changes.flatMap((each) => toChange(each) ?? []) : []
  } catch {
    return []
  }
}

function toChange(value: unknown): ProposedChange | undefined {
  const { environmentId, set, rules, unset, turn } = Object(value)
  if (typeof environmentId !== 'string') return undefined
  return {
    environmentId,
    set: Object(set),
    rules: Object(rules),
    turn: Object(turn),
    unset: Array.isArray(unset) ? unset.filter((key) => typeof key === 'string') : [],
  }
}

/** Returns whether a value is a list of rules that can be shown. The server checks the rest. */
function isRules(value: unknown): value is FlagRules {
  return Array.isArray(value) && value.every(isRule)
}

function isRule(value: unknown): boolean {
  const { when, serve } = Object(value)
  return isServed(serve) && Array.isArray(when) && when.every(isCondition)
}

function isServed(serve: unknown): boolean {
  if (typeof serve === 'boolean') return true
  const { percent, value, variant, split } = Object(serve)
  if (Array.isArray(split)) return split.every((part) => isServed(part) && hasPercent(part))
  return hasPercent({ percent }) || typeof variant === 'string' || isConfigValue(value)
}

function hasPercent(part: unknown): boolean {
  return typeof Object(part).percent === 'number'
}

function isCondition(value: unknown): boolean {
  const { operator, attribute, segment, values, value: compared, percent } = Object(value)
  if (operator === 'segment') return typeof segment === 'string'
  if (typeof operator !== 'string' || typeof attribute !== 'string') return false
  if (operator === 'in') return Array.isArray(values)
  if (operator === 'share') return typeof percent === 'number'
  return operator === 'exists' || ['string', 'number', 'boolean'].includes(typeof compared)
}
