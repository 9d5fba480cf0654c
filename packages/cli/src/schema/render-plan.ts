import type { ConfigReport } from '../api/operations.ts'
import type { Output } from '../terminal/output.ts'
import type { Styles } from '../terminal/styles.ts'
import { renderTable } from '../terminal/table.ts'
import { breakingReason } from './breaking-changes.ts'
import { returningLines } from './returning-lines.ts'
import { type DefinitionChange, describeKey, type FullKey } from './definition-change.ts'

const tierWords = { public: 'public', secret: 'secret', featureFlags: 'flag' } as const

/** Returns the changes of a definition, one line each. `prune` says whether removals are carried out. */
export function renderDefinitionChanges(
  changes: readonly DefinitionChange[],
  prune: boolean,
  { styles, limit }: Rendering,
): string {
  const { first, rest } = limit.cut(changes, ({ kind }) => kind)
  const table = renderTable(
    first.map((change) => rowOf(change, prune, styles)),
    '    ',
  )
  return [table, ...rest.map((line) => `    ${line}`)].join('\n')
}

type Rendering = Pick<Output, 'limit' | 'styles'>

function rowOf(change: DefinitionChange, prune: boolean, styles: Styles): string[] {
  const reason = breakingReason(change)
  const breaking = reason === undefined ? '' : styles.yellow(`breaking: ${reason}`)
  switch (change.kind) {
    case 'added':
      return [
        styles.green('+'),
        tierWords[change.after.tier],
        change.key,
        describeKey(change.after),
      ]
    case 'removed':
      return [
        styles.red('-'),
        tierWords[change.before.tier],
        change.key,
        prune ? breaking : styles.dim('kept (use --prune to remove)'),
      ]
    case 'changed':
      return [
        styles.yellow('~'),
        tierWords[change.after.tier],
        change.key,
        [change.differences.join(', '), breaking].filter((part) => part !== '').join('   '),
      ]
  }
}

/** Counts by tier in one line. Example: `public 7 · secret 2 · feature flags 2`. */
export function renderCounts(counts: {
  public: number
  secret: number
  featureFlags: number
}): string {
  return `public ${counts.public} · secret ${counts.secret} · feature flags ${counts.featureFlags}`
}

/** Returns the missing values, one line for each environment that has any. */
export function renderReport(report: ConfigReport, output: Rendering): string[] {
  return report.flatMap((entry) => reportLines(entry, output))
}

function reportLines(entry: ConfigReport[number], { styles, limit }: Rendering): string[] {
  const { environment, missing, invalid, orphaned } = entry
  const broken = limit.lines(invalid.map(({ key, detail }) => `${key}: ${detail}`))
  const returning = limit.lines(returningLines([entry]).map((line) => `${line} comes back`))
  return [
    ...broken.map((line) => `    ${styles.red('!')} ${environment}: ${line}`),
    ...(orphaned.length === 0
      ? []
      : [
          `    ${styles.yellow('!')} ${environment}: values without a key: ${limit.join(orphaned)}`,
        ]),
    ...returning.map((line) => `    ${styles.yellow('↺')} ${line}`),
    ...(missing.length === 0
      ? []
      : [styles.dim(`    · ${environment}: no value yet for ${limit.join(missing)}`)]),
  ]
}

/** Returns a change as `--json` shows it. The default of a secret is left out. */
export function toChangeDocument(change: DefinitionChange): Record<string, unknown> {
  const reason = breakingReason(change)
  const key = change.kind === 'removed' ? change.before : change.after
  return {
    key: change.key,
    tier: key.tier,
    change: change.kind,
    ...(change.kind === 'changed'
      ? { differences: change.differences }
      : { definition: shownKey(key) }),
    ...(reason === undefined ? {} : { breaking: reason }),
  }
}

function shownKey({ default: value, ...key }: FullKey): Record<string, unknown> {
  return value === undefined || key.tier === 'secret' ? key : { ...key, default: value }
}
