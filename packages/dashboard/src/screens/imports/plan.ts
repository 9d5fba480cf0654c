import type { ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import type { Tone } from '../../components/badge.tsx'

/** Lists what the plan can be narrowed to. */
export const planFilters = [
  'all',
  'exact',
  'differs',
  'left out',
  'high',
  'exists',
  'unchanged',
  'fails',
] as const
/** Names what the plan is narrowed to. */
export type PlanFilter = (typeof planFilters)[number]

export const filterWords: Readonly<Record<PlanFilter, string>> = {
  all: 'All',
  exact: 'Exact',
  differs: 'Differs',
  'left out': 'Left out',
  high: 'High issues',
  exists: 'Exists here',
  unchanged: 'Unchanged',
  fails: 'Fails',
}

const filters: Readonly<Record<PlanFilter, (row: PlannedKey) => boolean>> = {
  all: () => true,
  exact: ({ verdict }) => verdict === 'exact',
  differs: ({ verdict }) => verdict === 'differs',
  'left out': ({ verdict }) => verdict === 'left out',
  high: ({ issues }) => issues.some(({ severity }) => severity === 'high'),
  exists: ({ action }) => action === 'skip',
  unchanged: ({ action }) => action === 'unchanged',
  fails: ({ action }) => action === 'failed',
}

/** Returns the rows that a filter and a text of the search leave, those that need a person first. */
export function narrowRows(
  rows: readonly PlannedKey[],
  filter: PlanFilter,
  text: string,
): readonly PlannedKey[] {
  const needle = text.trim().toLowerCase()
  return rows
    .filter(filters[filter])
    .filter(
      ({ key, from }) => key.toLowerCase().includes(needle) || from.toLowerCase().includes(needle),
    )
    .toSorted((one, other) => weigh(other) - weigh(one))
}

const weights = { high: 4, medium: 2, low: 0 } as const

function weigh({ action, issues }: PlannedKey): number {
  const worst = Math.max(0, ...issues.map(({ severity }) => weights[severity]))
  return (action === 'failed' ? 8 : 0) + worst + (action === 'skip' ? 1 : 0)
}

/** Counts the rows of each filter. */
export function countFilters(rows: readonly PlannedKey[]): Readonly<Record<PlanFilter, number>> {
  const count = (filter: PlanFilter) => rows.filter(filters[filter]).length
  return {
    all: count('all'),
    exact: count('exact'),
    differs: count('differs'),
    'left out': count('left out'),
    high: count('high'),
    exists: count('exists'),
    unchanged: count('unchanged'),
    fails: count('fails'),
  }
}

/** Returns whether a person may select the key: it is new, or it changes. */
export function isSelectable({ action }: PlannedKey): boolean {
  return action === 'create' || action === 'update' || action === 'skip'
}

/** Returns the keys that an import takes unless a person says otherwise. What exists with other values is none of them. */
export function selectAtFirst(rows: readonly PlannedKey[]): ReadonlySet<string> {
  return new Set(
    rows.filter(({ action }) => action === 'create' || action === 'update').map(({ key }) => key),
  )
}

/** Describes a kind of issue that a person has to accept, with the number of keys that have it. */
export interface HighIssue {
  readonly code: string
  readonly count: number
}

/** Lists the high issues of what is selected, and of what cannot be imported at all. */
export function listHighIssues(
  rows: readonly PlannedKey[],
  selected: ReadonlySet<string>,
): readonly HighIssue[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    if (row.verdict !== 'left out' && !selected.has(row.key)) continue
    const codes = row.issues.filter(({ severity }) => severity === 'high').map(({ code }) => code)
    for (const code of new Set(codes)) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return [...counts].map(([code, count]) => ({ code, count }))
}

/** Lists the names of the environments in which the selected keys get values. */
export function listTouched(
  rows: readonly PlannedKey[],
  selected: ReadonlySet<string>,
): readonly string[] {
  const touched = rows
    .filter(({ key, action }) => selected.has(key) && action !== 'unchanged')
    .flatMap(({ environments }) => environments)
    .filter(({ state }) => state === 'set' || state === 'differs')
  return [...new Set(touched.map(({ environment }) => environment))]
}

/** Maps each verdict to its color. */
export const verdictTones: Readonly<Record<PlannedKey['verdict'], Tone>> = {
  exact: 'ok',
  differs: 'warn',
  'left out': 'neutral',
}

/** Returns what happens to a key, or what has happened to it. */
export function describeAction(
  { action }: Pick<PlannedKey, 'action'>,
  isDone: boolean,
): string | undefined {
  const [planned, done] = actionWords[action]
  return isDone ? done : planned
}

const actionWords: Readonly<
  Record<PlannedKey['action'], readonly [planned: string | undefined, done: string | undefined]>
> = {
  create: ['new', 'created'],
  update: ['gets values', 'changed'],
  unchanged: ['unchanged', 'unchanged'],
  skip: ['exists with other values', 'kept as it was'],
  failed: ['fails', 'failed'],
  none: [undefined, undefined],
}

/** Returns the counts of a plan in one sentence. */
export function describeCounts({ counts, dryRun }: Pick<ImportPlan, 'counts' | 'dryRun'>): string {
  const { create, update, unchanged, skip, failed, leftOut } = counts
  const parts = [
    [create, dryRun ? 'new' : 'created'],
    [update, dryRun ? 'get values' : 'changed'],
    [unchanged, 'unchanged'],
    [skip, dryRun ? 'exist with other values' : 'kept as they were'],
    [failed, dryRun ? 'fail' : 'failed'],
    [leftOut, 'left out'],
  ] as const
  const visible = parts.filter(([count]) => count > 0)
  return visible.length === 0
    ? 'Nothing to import.'
    : `${visible.map(([count, words]) => `${count} ${words}`).join(', ')}.`
}
