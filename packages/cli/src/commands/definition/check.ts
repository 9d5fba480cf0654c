import { defineCommand, type FlagValues } from '../../action.ts'
import {
  type CheckedDefinition,
  checkEnvironments,
  isRefused,
} from '../../check/check-environments.ts'
import { schemaFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { assertSound, printChecked, printCounts } from '../../check/print-check.ts'
import { getDefinitionPath } from '../../definition/find-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { describeKey } from '../../schema/definition-change.ts'
import { countTiers } from '../../schema/full-key.ts'
import { toChangeDocument } from '../../schema/render-plan.ts'
import type { Session } from '../../session.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { renderTable } from '../../terminal/table.ts'

const checkFlags = {
  ...schemaFlags,
  env: textFlag('names', 'Check the values of these environments too: a list, or all'),
  complete: switchFlag('With --env: also fail if a required key has no value'),
} as const

type CheckFlags = FlagValues<typeof checkFlags>

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

/** Returns a check of environments as `--json` shows it. */
function toCheckDocument({ changes, ...checked }: CheckedDefinition): Record<string, unknown> {
  return { ...checked, changes: changes.map(toChangeDocument) }
}

/** Defines `signalbox check`. */
export const checkCommand = defineCommand({
  about:
    'Loads the definition and reports each problem with its line, without a server or a token. With --env it also shows what a push would change, and which stored values the definition would refuse. Changes nothing.',
  examples: [
    'signalbox check',
    'signalbox check --env all',
    'signalbox check --env staging,production --complete --json',
  ],
  flags: checkFlags,
  run: check,
})
