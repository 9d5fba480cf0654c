import { buildCommand } from '@stricli/core'
import { action, describe } from '../action.ts'
import { type CliContext, type GlobalFlags, globalFlags } from '../cli-context.ts'
import type { Definition } from '../definition/definition.ts'
import { getDefinitionPath, shownPath } from '../definition/find-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { assertDistinctNames } from '../env-file/entries.ts'
import { describeKey } from '../schema/definition-change.ts'
import { countTiers } from '../schema/full-key.ts'
import { renderCounts } from '../schema/render-plan.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'
import { renderTable } from '../terminal/table.ts'

async function check(session: Session): Promise<void> {
  const path = await getDefinitionPath(session)
  const definition = await session.progress('Loading the definition', () =>
    readDefinition(session, path),
  )
  assertSound(session, definition)
  const { output } = session
  const counts = countTiers(definition.keys.values())
  output.document({
    file: path,
    counts,
    keys: Object.fromEntries(
      [...definition.keys].map(
        ([key, { type, tier, required, hasDefault, constraints, sources }]) => [
          key,
          { type, tier, required, hasDefault, constraints, sources },
        ],
      ),
    ),
  })
  printCounts(session, definition)
  if (session.flags.verbose) {
    output.result(
      renderTable(
        [...definition.keys].map(([key, defined]) => [
          key,
          describeKey(defined),
          output.styles.dim(defined.sources.join(', ')),
        ]),
        '    ',
      ),
    )
  }
}

/** The two lines that head every command about the definition. */
export function printCounts(session: Session, definition: Definition): void {
  const { output } = session
  const { keys, path, vendors } = definition
  const counts = countTiers(keys.values())
  const made = vendors.length === 0 ? '' : output.styles.dim(`  (${vendors.join(', ')})`)
  output.result(`  ${shownPath(session, path)}${made}`)
  output.result(`  ${renderCounts(counts)}    ${countOf(keys.size, 'key')}, 0 problems`)
  for (const warning of definition.warnings) output.warn(warning)
}

/** @throws {CliError} `invalid_definition` with the place of each fault, `name_collision` */
export function assertSound(session: Session, { faults, path, keys }: Definition): void {
  if (faults.length === 0) return assertDistinctNames(keys.keys())
  const file = shownPath(session, path)
  const fixes = new Set(faults.flatMap(({ fixes }) => fixes.join('  or  ')))
  throw new CliError(
    'validation',
    'invalid_definition',
    `${file} has ${countOf(faults.length, 'problem')}.`,
    {
      details: faults.map(({ line, key, detail, tier }) => {
        const place = line === undefined ? file : `${file}:${line}`
        return `${place}  ${key}${tier === undefined ? '' : ` (${tier === 'featureFlags' ? 'flag' : tier})`}: ${detail}`
      }),
      hint: fixes.size === 0 ? undefined : [...fixes].join('\n'),
    },
  )
}

export const checkCommand = buildCommand<GlobalFlags, [], CliContext>({
  func: action(check),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'Check the definition file, offline',
    fullDescription: describe(
      'Loads the definition, and names each fault with its line. Asks no server and needs no token.',
      ['signalbox check', 'signalbox check --verbose --config config/signalbox.config.ts'],
    ),
  },
})
