import type { Target, TargetPlan } from '../../api/operations.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'

type Action = TargetPlan['items'][number]['action']

const actions = ['create', 'update', 'delete', 'conflict', 'refuse', 'keep'] as const

/** Returns whether a run would change something, or leave a name out. */
export function hasWork({ counts }: TargetPlan): boolean {
  return actions.some((action) => action !== 'keep' && counts[action] > 0)
}

/** Returns a plan as lines: each name with what happens to it, and the counts. It holds no value. */
export function renderPlan(
  plan: TargetPlan,
  target: Pick<Target, 'providerName' | 'destinationName'>,
  styles: Styles,
): string {
  const address = printable(`${target.providerName}: ${target.destinationName}`)
  const items = plan.items.toSorted(
    (one, other) => actions.indexOf(one.action) - actions.indexOf(other.action),
  )
  const rows = items.map(({ action, name, store, key, detail }) => [
    colorOf(action, styles)(action),
    printable(name),
    store,
    styles.dim(printable(detail ?? (key === null ? 'no key has it any more' : `of ${key}`))),
  ])
  const counts = actions
    .filter((action) => plan.counts[action] > 0)
    .map((action) => `${plan.counts[action]} to ${action}`)
  const untouched = plan.untouched.length
  return [
    `${address}, version ${plan.version}`,
    ...(rows.length === 0 ? [] : [renderTable(rows)]),
    counts.length === 0 ? 'No key is chosen.' : `${counts.join(', ')}.`,
    ...(untouched === 0 ? [] : [`${untouched} other names there stay as they are.`]),
  ].join('\n')
}

function colorOf(action: Action, styles: Styles): (text: string) => string {
  if (action === 'conflict' || action === 'refuse') return styles.red
  if (action === 'keep') return styles.dim
  return action === 'create' ? styles.green : styles.yellow
}
