import { describeRule, findLastAsked, type FlagRule } from '@signalbox/contract'
import type { StoredValue } from '../api/operations.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { renderTable } from '../terminal/table.ts'
import { describeState } from './describe-value.ts'

/** Prints the rules of a key in their order, with the numbers that name them, and what everyone else gets. */
export function showRules(output: Output, stored: StoredValue | undefined): void {
  const list: readonly FlagRule[] = stored?.rules ?? []
  const last = findLastAsked(list)
  const isNamed = list.some(({ description }) => description !== undefined)
  const rows = list.map((rule, index) => [
    `${index + 1}.`,
    ...(isNamed ? [printable(rule.description ?? '')] : []),
    printable(describeRule(rule)),
    output.styles.dim(rule.id ?? ''),
    index > last
      ? output.styles.yellow(`never used: rule ${last + 1} decides for everyone`)
      : rule.aside !== undefined
        ? output.styles.yellow('turned off')
        : '',
  ])
  const rest = stored?.value === undefined ? 'no value' : describeState({ ...stored, rules: [] })
  const others = list.length === 0 ? 'Everyone' : 'Everyone else'
  const source = stored?.source === 'inherited' ? output.styles.dim('  (inherited)') : ''
  output.data(
    [...(rows.length > 0 ? [renderTable(rows)] : []), `${others}: ${rest}${source}`].join('\n'),
  )
}
