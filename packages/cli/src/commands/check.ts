import { buildCommand } from '@stricli/core'
import { action, describe } from '../action.ts'
import {
  type CheckedDefinition,
  checkEnvironments,
  isRefused,
} from '../check/check-environments.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../cli-context.ts'
import type { Definition } from '../definition/definition.ts'
import { getDefinitionPath, shownPath } from '../definition/find-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { assertDistinctNames } from '../env-file/entries.ts'
import { describeKey } from '../schema/definition-change.ts'
import { countTiers } from '../schema/full-key.ts'
import { renderCounts, renderDefinitionChanges, toChangeDocument } from '../schema/render-plan.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { printable } from '../terminal/printable.ts'
import { renderTable } from '../terminal/table.ts'

type CheckFlags = GlobalFlags & {
  readonly env?: string | undefined
  readonly complete?: boolean | undefined
}

async function check(
  session: Session,
  { env, complete = false }: CheckFlags,
): Promise<void | { readonly exitWith: number }> {
  const path = await getDefinitionPath(session)
  const definition = await session.progress('Loading the definition', () =>
    readDefinition(session, path),
  )
  assertSound(session, definition)
  const { output } = session
  const counts = countTiers(definition.keys.values())
  const checked =
    env === undefined
      ? undefined
      : await session.progress('Comparing with the server', () =>
          checkEnvironments(session, definition, env),
        )
  output.document({
    ...(checked === undefined ? {} : toCheckDocument(checked)),
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
  if (checked === undefined) return
  printChecked(session, checked)
  if (checked.environments.some((each) => isRefused(each, complete))) {
    output.note(
      `  ${output.errorStyles.dim('fix:')} signalbox set <key> --env <name>, or change the definition`,
    )
    return { exitWith: exitCodes.validation }
  }
}

/** A check of environments as `--json` shows it. */
function toCheckDocument({ changes, ...checked }: CheckedDefinition): Record<string, unknown> {
  return { ...checked, changes: changes.map(toChangeDocument) }
}

/** What a definition would find in each environment, one line for each finding. */
export function printChecked(session: Session, checked: CheckedDefinition): void {
  const { output } = session
  const { styles } = output
  const { schema, revision, changes, environments } = checked
  const from = revision === null ? 'not on the server yet' : `revision ${revision}`
  const differs = changes.length === 0 ? 'no differences' : countOf(changes.length, 'difference')
  output.result(`  schema ${schema}, ${from}: ${differs}`)
  if (changes.length > 0) output.result(renderDefinitionChanges(changes, false, styles))
  output.data(
    renderTable(
      environments.flatMap(({ environment, production, missing, invalid }) => {
        const name = production ? styles.bold(environment) : environment
        if (invalid.length + missing.length === 0) {
          return [[styles.green('✓'), name, styles.dim('every value fits')]]
        }
        const lines = [
          ...invalid.map(({ key, detail }) => [styles.red('✗'), printable(`${key}: ${detail}`)]),
          ...(missing.length === 0
            ? []
            : [[styles.yellow('!'), `no value yet for ${missing.join(', ')}`]]),
        ]
        return lines.map(([mark = '', line = ''], index) => [mark, index === 0 ? name : '', line])
      }),
      '  ',
    ),
  )
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

export const checkCommand = buildCommand<CheckFlags, [], CliContext>({
  func: action(check),
  parameters: {
    flags: {
      ...globalFlags,
      env: textFlag('names', 'Check the values of these environments too: a list, or all'),
      complete: switchFlag('With --env: fail also where a required key has no value'),
    },
  },
  docs: {
    brief: 'Check the definition file, offline or against environments',
    fullDescription: describe(
      'Loads the definition, and names each fault with its line. Asks no server and needs no token, unless --env names environments: then it says what a push would change, and which stored values the definition would refuse. Changes nothing.',
      [
        'signalbox check',
        'signalbox check --env all',
        'signalbox check --env staging,production --complete --json',
      ],
    ),
  },
})
