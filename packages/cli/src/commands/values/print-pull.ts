import { basename } from 'node:path'
import type { StoredValues } from '../../api/operations.ts'
import type { Collected } from '../../env-file/entries.ts'
import type { RenderedEnvFile } from '../../env-file/render-env-file.ts'
import type { Session } from '../../session.ts'
import type { SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'

/** Describes an env file that was written, or would be. */
export interface PulledFile {
  readonly target: SchemaTarget
  readonly stored: StoredValues
  readonly collected: Collected
  readonly rendered: RenderedEnvFile
  readonly format: string
  readonly path: string
  readonly dryRun: boolean
  readonly ignoreFile: string | undefined
}

/** Prints which file a pull wrote, and how its variables changed. */
export function printPull(
  session: Session,
  { target, stored, collected, rendered, ...rest }: PulledFile,
): void {
  const { output } = session
  const { environment } = target
  const file = basename(rest.path)
  output.document({
    file: rest.path,
    format: rest.format,
    environment: environment.name,
    version: stored.version,
    dryRun: rest.dryRun,
    variables: collected.entries.map(({ name, key, tier }) => ({ name, key, tier })),
    changes: rendered.changes,
    missing: collected.missing,
    hidden: collected.hidden,
  })
  const secrets = collected.entries.filter(({ tier }) => tier === 'secret').length
  const count = `${countOf(collected.entries.length, 'value')} (${secrets} secret)`
  const summary = `${file}  ${environment.name} v${stored.version} · ${count} · ${rest.format} dialect`
  output.result(
    rest.dryRun ? `Would write ${summary}` : `${output.styles.green('✓')} ${summary} · mode 0600`,
  )
  const marks = { added: '+', changed: '~', removed: '-' } as const
  const { first, rest: more } = output.limit.cut(rendered.changes, ({ change }) => change)
  const listed = [...first.map(({ name, change }) => `${marks[change]} ${name}`), ...more]
  const userLines =
    rendered.userLines === 0 ? [] : [`${countOf(rendered.userLines, 'line')} of your own kept`]
  if (listed.length + userLines.length > 0)
    output.result(`    ${[...listed, ...userLines].join('   ')}`)
  if (rest.ignoreFile !== undefined)
    output.note(`    ${file} added to ${basename(rest.ignoreFile)}`)
  warnAbout(session, collected, rendered)
}

/** Warns of keys without a value, and of lines that other programs read differently. */
export function warnAbout(
  { output }: Session,
  { missing, hidden }: Collected,
  rendered?: RenderedEnvFile,
): void {
  if (missing.length > 0) output.warn(`no value yet: ${output.limit.join(missing)}`)
  if (hidden.length > 0) output.warn(`not readable with this token: ${output.limit.join(hidden)}`)
  const { setByUser = [], onlyThisReader = [] } = rendered ?? {}
  if (setByUser.length > 0)
    output.warn(`also set in your own lines: ${output.limit.join(setByUser)}`)
  if (onlyThisReader.length > 0) {
    output.warn(
      `other programs may read differently: ${output.limit.join(onlyThisReader)} (choose with --format)`,
    )
  }
}

/** Warns that a repository other than this project's does not ignore the file. Its ignore file is not ours to write. */
export function warnOfGit({ output }: Session, path: string): void {
  output.warn(`${path} is in another repository, which does not ignore it.`)
}

/** Asks whether a file without lines of the user may be replaced. @throws {CliError} `confirmation_required`, `cancelled` */
export async function confirmReplacing(session: Session, file: string): Promise<void> {
  if (session.flags.yes) return
  const { blockedBy } = session.prompts
  if (blockedBy !== undefined) {
    throw new CliError(
      'usage',
      'confirmation_required',
      `${file} exists and the format has no place for your own lines, but the command can't ask: ${blockedBy}.`,
      {
        advice: 'Repeat with --yes to replace the whole file, or choose another with --output.',
      },
    )
  }
  if (!(await session.prompts.confirm(`Replace the whole of ${file}?`))) {
    throw new CliError('cancelled', 'cancelled', 'Cancelled. Nothing was changed.')
  }
}
