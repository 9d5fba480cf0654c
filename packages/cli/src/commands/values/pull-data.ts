import { basename, resolve } from 'node:path'
import type { ConfigValue } from '@signalbox/contract'
import type { StoredValues } from '../../api/operations.ts'
import type { GlobalFlags } from '../../cli-context.ts'
import type { Collected } from '../../env-file/entries.ts'
import { renderJson, renderYamlLines } from '../../env-file/render-data.ts'
import { readExisting, writeSecretFile } from '../../project/secret-file.ts'
import type { Session } from '../../session.ts'
import type { SchemaTarget } from '../../target.ts'
import { countOf } from '../../terminal/count.ts'
import { confirmReplacing, warnAbout, warnOfGit } from './print-pull.ts'

/** Describes the values to write as data. */
export interface DataPull {
  readonly target: SchemaTarget
  readonly stored: StoredValues
  readonly collected: Collected
  readonly format: 'json' | 'yaml'
  readonly flags: GlobalFlags & { readonly output?: string | undefined }
}

/** Writes the values as JSON or YAML. Such a file has no lines of the user, so an existing one is replaced after a question. */
export async function pullData(
  session: Session,
  { target, stored, collected, format, flags }: DataPull,
): Promise<void> {
  const values = new Map<string, ConfigValue>(
    collected.entries.map(({ name, value }) => [name, value]),
  )
  const text = format === 'json' ? renderJson(values) : `${renderYamlLines(values).join('\n')}\n`
  const { output } = session
  warnAbout(session, collected)
  if (flags.output === '-') {
    output.raw(text)
    return
  }
  const path = resolve(session.cwd, flags.output ?? `.env.local.${format}`)
  const existing = await readExisting(path)
  if (existing !== '' && existing !== text && !flags.dryRun)
    await confirmReplacing(session, basename(path))
  const { ignoreFile, isExposed } = await writeSecretFile({
    path,
    text,
    projectDirectory: session.cwd,
    dryRun: flags.dryRun === true,
  })
  if (isExposed) warnOfGit(session, path)
  output.document({
    file: path,
    format,
    environment: target.environment.name,
    version: stored.version,
    dryRun: flags.dryRun,
    variables: collected.entries.map(({ name, key, tier }) => ({ name, key, tier })),
    missing: collected.missing,
    hidden: collected.hidden,
  })
  const summary = `${basename(path)}  ${target.environment.name} v${stored.version} · ${countOf(values.size, 'value')} · ${format}`
  output.result(
    flags.dryRun ? `Would write ${summary}` : `${output.styles.green('✓')} ${summary} · mode 0600`,
  )
  if (ignoreFile !== undefined) output.note(`    added to ${basename(ignoreFile)}`)
}
