import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { renderTypes, typesHeader } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import { schemaFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { findDefinition, displayPath } from '../../definition/find-definition.ts'
import { assertWritablePath, writeFileAtomically } from '../../project/write-file.ts'
import { countTiers, fromPresentedKey } from '../../schema/full-key.ts'
import { renderCounts } from '../../schema/render-plan.ts'
import type { ConfigSchema } from '../../api/operations.ts'
import type { Session } from '../../session.ts'
import { openSchema } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'
import { findLineChanges, type LineChanges } from '../../types/line-changes.ts'

const defaultFile = 'signalbox.d.ts'
const typesFlags = {
  ...schemaFlags,
  check: switchFlag('Write nothing; exit with 8 if the file is out of date'),
  output: textFlag('file', `File to write (default ${defaultFile}; - prints it)`),
  noSecrets: switchFlag('Leave out the names of secrets, which only programs on servers read'),
} as const

type TypesFlags = FlagValues<typeof typesFlags>

async function types(
  session: Session,
  flags: TypesFlags,
): Promise<void | { readonly exitWith: number }> {
  const path = resolve(session.cwd, flags.output ?? defaultFile)
  if (flags.output !== '-') await assertWritablePath(path)
  const { schema } = await session.progress('Reading the schema', () => openSchema(session))
  const secrets = flags.noSecrets !== true
  const text = renderTypes({ schemaName: schema.name, schema: schema.schema, secrets })
  if (flags.output === '-') {
    session.output.document({ schema: schema.name, revision: schema.revision, text })
    session.output.data(text.trimEnd())
    return
  }
  const existing = await readExisting(session, path)
  const stale = existing !== text
  const written = stale && !flags.check && !flags.dryRun
  if (written) await writeFileAtomically(path, text, 0o644)
  report(session, { flags, schema, path, existing, text, stale, written })
  if (flags.check && stale) return { exitWith: exitCodes.differences }
  if (written) await noteDefinition(session)
}

/** Reads the existing file. @throws {CliError} `foreign_file` when this command has not written it */
async function readExisting(session: Session, path: string): Promise<string | undefined> {
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  // Git may have checked the file out with Windows line breaks.
  const text = content?.replaceAll('\r\n', '\n')
  if (text === undefined || text.trim() === '' || text.startsWith(typesHeader)) return text
  throw new CliError(
    'usage',
    'foreign_file',
    `${displayPath(session, path)} was not written by "signalbox types", so it stays unchanged.`,
    { advice: 'Name another file with --output, or delete this one.' },
  )
}

interface Report {
  readonly flags: TypesFlags
  readonly schema: ConfigSchema
  readonly path: string
  readonly existing: string | undefined
  readonly text: string
  readonly stale: boolean
  readonly written: boolean
}

function report(session: Session, request: Report): void {
  const { schema, path, stale, written } = request
  const { output } = session
  const { styles } = output
  const { name, revision } = schema
  const changes = findLineChanges(request.existing ?? '', request.text)
  output.document({ file: path, schema: name, revision, stale, written, ...changes })
  const counts = renderCounts(countTiers(Object.values(schema.schema).map(fromPresentedKey)))
  output.result(`${stateOf(session, request)}  ${styles.dim(`${name} revision ${revision}`)}`)
  output.result(`  ${counts}`)
  if (!stale) return
  printChanges(session, changes)
  if (!request.flags.check) return
  const { output: file } = request.flags
  const outputFlag = file === undefined ? '' : ` --output ${file}`
  output.note(`  ${output.errorStyles.dim('fix:')} signalbox types${outputFlag}`)
}

function stateOf(session: Session, { flags, path, existing, stale, written }: Report): string {
  const { styles } = session.output
  const file = displayPath(session, path)
  if (!stale) return `${styles.green('✓')} ${file} is current`
  if (written) return `${styles.green('✓')} ${file} written`
  if (!flags.check) return `Would write ${file}`
  return `${styles.red('✗')} ${file} ${existing === undefined ? 'is missing' : 'is not current'}`
}

function printChanges({ output }: Session, { added, removed }: LineChanges): void {
  const { styles } = output
  for (const line of removed) output.result(`    ${styles.red('-')} ${printable(line)}`)
  for (const line of added) output.result(`    ${styles.green('+')} ${printable(line)}`)
}

/**
 * Prints that the definition file has these types already. Beside it, the written file would declare the keys twice,
 * which does not compile.
 */
async function noteDefinition(session: Session): Promise<void> {
  const definition = await findDefinition(session)
  if (definition === undefined) return
  session.output.note(
    `  ${displayPath(session, definition)} already has these types. Programs that include it need no ${defaultFile}.`,
  )
}

/** Defines `signalbox types`. */
export const typesCommand = defineCommand({
  about:
    "For a repository that reads configuration but doesn't contain its definition: writes a declaration file with the name and type of every key, for clients and hooks. The file contains only types, and changes only with the schema.",
  examples: [
    'signalbox types',
    'signalbox types --check                     # in a pipeline',
    'signalbox types --no-secrets --output src/signalbox.d.ts',
  ],
  flags: typesFlags,
  run: types,
})
