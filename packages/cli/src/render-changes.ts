import type { ValueChange } from './api/operations.ts'
import { printable } from './terminal/printable.ts'
import type { Styles } from './terminal/styles.ts'
import { renderTable } from './terminal/table.ts'

const marks = { added: '+', changed: '~', removed: '-' } as const

/** The changes of values, one line each. A secret's values are not there to be shown. */
export function renderValueChanges(changes: readonly ValueChange[], styles: Styles): string {
  const colors = { added: styles.green, changed: styles.yellow, removed: styles.red } as const
  return renderTable(
    changes.map(({ key, tier, change, before, after }) => [
      colors[change](marks[change]),
      tier === 'featureFlags' ? 'flag' : tier,
      key,
      tier === 'secret' ? changedWord(change) : describeValues(before, after),
    ]),
    '    ',
  )
}

function changedWord(change: ValueChange['change']): string {
  return change === 'changed' ? 'another value' : ''
}

function describeValues(before: unknown, after: unknown): string {
  if (before === undefined && after === undefined) return ''
  if (before === undefined) return shown(after)
  return after === undefined ? shown(before) : `${shown(before)} → ${shown(after)}`
}

function shown(value: unknown): string {
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
