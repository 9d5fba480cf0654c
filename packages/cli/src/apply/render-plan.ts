import { countOf } from '../terminal/count.ts'
import { printable } from '../terminal/printable.ts'
import type { Output } from '../terminal/output.ts'
import type { Styles } from '../terminal/styles.ts'
import { renderTable } from '../terminal/table.ts'
import type { Fields, Kind, KindPlan, Step } from './kind.ts'
import { listDifferences } from './plan.ts'

const shownUnnamed = 10

/** Renders a plan: a part for each kind, with a line for each resource that changes or is not in the file. */
export function renderPlan(
  plans: readonly KindPlan[],
  { limit, styles }: Pick<Output, 'limit' | 'styles'>,
): string {
  const parts = plans.flatMap((plan) => {
    const { first, rest } = limit.cut(plan.steps, ({ change }) => `to ${change}`)
    const more = rest.map((line) => ['', line])
    const rows = [...first.map((step) => rowOf(step, styles)), ...more, ...otherRows(plan, styles)]
    return rows.length === 0 ? [] : [styles.bold(plan.kind.member), renderTable(rows, '  ')]
  })
  return [...parts, renderCounts(plans)].join('\n')
}

function rowOf(step: Step, styles: Styles): string[] {
  const key = printable(step.key)
  switch (step.change) {
    case 'create':
      return [styles.green('+'), key, describeNew(step.after)]
    case 'change':
      return [styles.yellow('~'), key, describeChange(step)]
    case 'delete':
      return [styles.red('-'), key, '']
  }
}

function otherRows({ isReordered, unnamed }: KindPlan, styles: Styles): string[][] {
  const first = unnamed.slice(0, shownUnnamed)
  const more = unnamed.length - first.length
  return [
    ...(isReordered ? [[styles.yellow('~'), 'order', 'the rules change places']] : []),
    ...first.map((key) => [styles.dim('·'), printable(key), styles.dim('not in the file, stays')]),
    ...(more > 0 ? [[styles.dim('·'), styles.dim(`and ${more} more`)]] : []),
  ]
}

function describeNew(after: Fields): string {
  return listDifferences({}, after)
    .filter(({ after: value }) => value !== null && value !== '')
    .map(({ member, after: value }) => `${member} ${renderValue(value)}`)
    .join(', ')
}

function describeChange({ before, after }: Extract<Step, { readonly change: 'change' }>): string {
  return listDifferences(before, after)
    .map(
      (difference) =>
        `${difference.member} ${renderValue(difference.before)} → ${renderValue(difference.after)}`,
    )
    .join(', ')
}

function renderValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return printable(text.length > 80 ? `${text.slice(0, 77)}…` : text)
}

/** Counts the resources of a plan in one line. Example: `1 to create, 2 to change, 0 to delete, 5 unchanged`. */
function renderCounts(plans: readonly KindPlan[]): string {
  const { create, change, delete: removed, unchanged, unnamed } = countPlan(plans)
  const line = `${create} to create, ${change} to change, ${removed} to delete, ${unchanged} unchanged`
  return unnamed === 0
    ? line
    : `${line}, ${countOf(unnamed, 'resource')} not in the file (--prune deletes)`
}

/** Counts the resources of a plan by what happens to them. */
export function countPlan(plans: readonly KindPlan[]) {
  const steps = plans.flatMap((plan) => plan.steps)
  const count = (change: Step['change']) => steps.filter((step) => step.change === change).length
  return {
    create: count('create'),
    change: count('change') + plans.filter(({ isReordered }) => isReordered).length,
    delete: count('delete'),
    unchanged: plans.reduce((sum, plan) => sum + plan.unchanged.length, 0),
    unnamed: plans.reduce((sum, plan) => sum + plan.unnamed.length, 0),
  }
}

const signs = { create: '+', change: '~', delete: '-' } as const

/** Names a step in one line. Example: `+ environments.preview`. */
export function nameStep({ member }: Kind, { change, key }: Step): string {
  return `${signs[change]} ${member}.${key}`
}

/** Returns a plan as `--json` prints it. */
export function toPlanDocument(plans: readonly KindPlan[]): Record<string, unknown> {
  return {
    changes: plans.flatMap(({ kind: { member }, steps, isReordered }) => [
      ...steps.map((step) => ({ kind: member, ...step })),
      ...(isReordered ? [{ kind: member, change: 'reorder' }] : []),
    ]),
    notInFile: plans.flatMap(({ kind: { member }, unnamed }) =>
      unnamed.map((key) => ({ kind: member, key })),
    ),
    counts: countPlan(plans),
  }
}
