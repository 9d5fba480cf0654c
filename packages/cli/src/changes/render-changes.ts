import { describeFlagChange, describeMovedSource } from '@signalbox/contract'
import type { ValueChange } from '../api/operations.ts'
import { printable } from '../terminal/printable.ts'
import type { Output } from '../terminal/output.ts'
import { renderTable } from '../terminal/table.ts'

const marks = { added: '+', changed: '~', removed: '-' } as const

/** Returns the changes of values, one line each. A change of a secret shows no values. */
export function renderValueChanges(
  changes: readonly ValueChange[],
  { styles, limit }: Pick<Output, 'limit' | 'styles'>,
): string {
  const { first, rest } = limit.cut(changes, ({ change }) => change)
  const colors = { added: styles.green, changed: styles.yellow, removed: styles.red } as const
  const table = renderTable(
    first.map((valueChange) => [
      colors[valueChange.change](marks[valueChange.change]),
      valueChange.tier === 'featureFlags' ? 'flag' : valueChange.tier,
      valueChange.key,
      valueChange.tier === 'secret' ? changedWord(valueChange.change) : describeOpen(valueChange),
    ]),
    '    ',
  )
  return [table, ...rest.map((line) => `    ${line}`)].join('\n')
}

function changedWord(change: ValueChange['change']): string {
  return change === 'changed' ? 'another value' : ''
}

/** Returns who got a flag and gets it where its rules differ, else the values, or their sources where only these do. */
function describeOpen(valueChange: ValueChange): string {
  const { before, after, rulesBefore, rulesAfter, segments } = valueChange
  const isRuled =
    segments !== undefined || JSON.stringify(rulesBefore) !== JSON.stringify(rulesAfter)
  if (isRuled) return printable(describeFlagChange(valueChange))
  const moved = describeMovedSource(valueChange, renderValue(after))
  return moved === undefined ? describeValues(before, after) : printable(moved)
}

function describeValues(before: unknown, after: unknown): string {
  if (before === undefined && after === undefined) return ''
  if (before === undefined) return renderValue(after)
  return after === undefined
    ? renderValue(before)
    : `${renderValue(before)} → ${renderValue(after)}`
}

function renderValue(value: unknown): string {
  const text = printable(JSON.stringify(value) ?? '')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Counts in words. Example: `1 added, 2 changed`. */
export function countChanges(
  changes: readonly { readonly change: ValueChange['change'] }[],
): string {
  const words = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  return words.length === 0 ? 'no change' : words.join(', ')
}
