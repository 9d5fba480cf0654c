import { findVariableViolation, variableNameOf } from '@signalbox/contract'
import type { Definition } from '../definition/definition.ts'
import { displayPath } from '../definition/find-definition.ts'
import { assertDistinctNames } from '../env-file/entries.ts'
import { countTiers } from '../schema/full-key.ts'
import { renderCounts, renderDefinitionChanges } from '../schema/render-plan.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'
import { printable } from '../terminal/printable.ts'
import { renderTable } from '../terminal/table.ts'
import type { CheckedDefinition } from './check-environments.ts'

/** Prints the violations of each environment, one line each. */
export function printChecked(session: Session, checked: CheckedDefinition): void {
  const { output } = session
  const { styles, limit } = output
  const { schema, revision, changes, environments } = checked
  const from = revision === null ? 'not on the server yet' : `revision ${revision}`
  const differs = changes.length === 0 ? 'no differences' : countOf(changes.length, 'difference')
  output.result(`  schema ${schema}, ${from}: ${differs}`)
  if (changes.length > 0) output.result(renderDefinitionChanges(changes, false, output))
  output.data(
    renderTable(
      environments.flatMap(({ environment, production, missing, invalid, unread }) => {
        const name = production ? styles.bold(environment) : environment
        if (invalid.length + missing.length + unread.length === 0) {
          return [[styles.green('✓'), name, styles.dim('every value fits')]]
        }
        const lines = [
          ...limit
            .lines(invalid.map(({ key, detail }) => printable(`${key}: ${detail}`)))
            .map((line) => [styles.red('✗'), line]),
          ...(missing.length === 0
            ? []
            : [[styles.yellow('!'), `no value yet for ${limit.join(missing)}`]]),
          ...(unread.length === 0
            ? []
            : [[styles.yellow('!'), `not readable with this token: ${limit.join(unread)}`]]),
        ]
        return lines.map(([mark = '', line = ''], index) => [mark, index === 0 ? name : '', line])
      }),
      '  ',
    ),
  )
}

/** Prints the two lines that head every command about the definition, and its warnings. */
export function printCounts(session: Session, definition: Definition): void {
  const { output } = session
  const { keys, path, vendors } = definition
  const counts = countTiers(keys.values())
  const made = vendors.length === 0 ? '' : output.styles.dim(`  (${vendors.join(', ')})`)
  output.result(`  ${displayPath(session, path)}${made}`)
  output.result(`  ${renderCounts(counts)}    ${countOf(keys.size, 'key')}, 0 problems`)
  for (const warning of definition.warnings) output.warn(warning)
  const unusable = [...keys].flatMap(([key, { tier, variable }]) => {
    const violation = findVariableViolation({ name: variableNameOf(key, variable), tier })
    return violation === undefined ? [] : [`${key}: run and pull leave it out. ${violation}`]
  })
  for (const line of output.limit.lines(unusable)) output.warn(line)
}

/**
 * Refuses a definition with violations.
 *
 * @throws {CliError} `invalid_definition` with the line of each violation, `name_collision`.
 */
export function assertSound(session: Session, { violations, path, keys }: Definition): void {
  if (violations.length === 0) {
    return assertDistinctNames(keys.keys(), (key) => variableNameOf(key, keys.get(key)?.variable))
  }
  const file = displayPath(session, path)
  const fixes = new Set(violations.flatMap(({ fixes }) => fixes.join('  or  ')))
  throw new CliError(
    'validation',
    'invalid_definition',
    `${file} has ${countOf(violations.length, 'problem')}.`,
    {
      details: violations.map(({ line, key, detail, tier }) => {
        const location = line === undefined ? file : `${file}:${line}`
        return `${location}  ${key}${tier === undefined ? '' : ` (${tier === 'featureFlags' ? 'flag' : tier})`}: ${detail}`
      }),
      advice: fixes.size === 0 ? undefined : [...fixes].join('\n'),
    },
  )
}
