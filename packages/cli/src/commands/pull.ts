import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import process from 'node:process'
import type { ConfigValue } from '@signalbox/contract'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../action.ts'
import type { StoredValues } from '../api/operations.ts'
import {
  allowVariableFlag,
  type CliContext,
  envFlag,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../cli-context.ts'
import { detectDialect } from '../env-file/detect-format.ts'
import { dialects, type FormatName, formatNames } from '../env-file/dialects.ts'
import { collectEntries, type Collected } from '../env-file/entries.ts'
import { renderJson, renderYamlLines } from '../env-file/render-data.ts'
import { type RenderedEnvFile, renderEnvFile } from '../env-file/render-env-file.ts'
import { assertNoSteering } from '../env-file/steering-names.ts'
import { ensureIgnored, isTracked } from '../project/git.ts'
import { assertFilePlace, writeFileAtomically } from '../project/write-file.ts'
import { readValues } from '../read-values.ts'
import type { Session } from '../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'

type PullFlags = GlobalFlags & {
  readonly env?: string | undefined
  readonly format: FormatName
  readonly output?: string | undefined
  readonly prefix?: string | undefined
  readonly allowCommandLike?: boolean | undefined
  readonly allowVariable?: readonly string[] | undefined
}

const onlyOwner = 0o600

async function pull(session: Session, flags: PullFlags): Promise<void> {
  if (flags.output !== undefined && flags.output !== '-') {
    await assertFilePlace(resolve(session.cwd, flags.output))
  }
  const target = await openSchemaTarget(session, flags.env)
  const stored = await session.progress(`Reading ${target.environment.name}`, () =>
    readValues(target),
  )
  const format = flags.format === 'auto' ? await detectDialect(session.cwd) : flags.format
  const collected = collectEntries({
    schema: target.schema.schema,
    values: stored.values,
    prefix: prefixOf(flags.prefix, format),
  })
  if (format === 'json' || format === 'yaml')
    return pullData(session, { target, stored, collected, format, flags })
  assertNoSteering(collected.entries, flags.allowVariable)
  const path = resolve(session.cwd, flags.output ?? '.env.local')
  const rendered = renderEnvFile({
    path: basename(path),
    existing: flags.output === '-' ? '' : await readExisting(path),
    entries: collected.entries.map(({ name, key, value }) => ({ name, key, value: String(value) })),
    dialect: dialects[format],
    header: {
      environment: target.environment.name,
      version: stored.version,
      writtenAt: new Date().toISOString(),
    },
    allowCommandLike: flags.allowCommandLike === true,
  })
  if (flags.output === '-') {
    process.stdout.write(rendered.text)
    warnAbout(session, collected, rendered)
    return
  }
  const ignoreFile = await writeSecretFile(path, rendered.text, flags.dryRun === true)
  report(session, {
    target,
    stored,
    collected,
    rendered,
    format,
    path,
    dryRun: flags.dryRun === true,
    ignoreFile,
  })
}

/** Refuses what git would carry away, keeps git from it, and writes it for its owner alone. */
async function writeSecretFile(
  path: string,
  text: string,
  dryRun: boolean,
): Promise<string | undefined> {
  if (await isTracked(path)) {
    throw new CliError(
      'validation',
      'tracked_by_git',
      `${basename(path)} is tracked by git: secrets in it would be committed.`,
      {
        hint: `git rm --cached ${basename(path)}`,
      },
    )
  }
  if (dryRun) return undefined
  const ignoreFile = await ensureIgnored(path)
  await writeFileAtomically(path, text, onlyOwner)
  return ignoreFile
}

interface Report {
  readonly target: SchemaTarget
  readonly stored: StoredValues
  readonly collected: Collected
  readonly rendered: RenderedEnvFile
  readonly format: string
  readonly path: string
  readonly dryRun: boolean
  readonly ignoreFile: string | undefined
}

function report(session: Session, { target, stored, collected, rendered, ...rest }: Report): void {
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
  const head = `${file}  ${environment.name} v${stored.version} · ${count} · ${rest.format} dialect`
  output.result(
    rest.dryRun ? `Would write ${head}` : `${output.styles.green('✓')} ${head} · mode 0600`,
  )
  const marks = { added: '+', changed: '~', removed: '-' } as const
  const changes = rendered.changes.map(({ name, change }) => `${marks[change]} ${name}`)
  const kept =
    rendered.userLines === 0 ? [] : [`${countOf(rendered.userLines, 'line')} of yours kept`]
  if (changes.length + kept.length > 0) output.result(`    ${[...changes, ...kept].join('   ')}`)
  if (rest.ignoreFile !== undefined)
    output.note(`    ${file} added to ${basename(rest.ignoreFile)}`)
  warnAbout(session, collected, rendered)
}

function warnAbout(
  { output }: Session,
  { missing, hidden }: Collected,
  rendered?: RenderedEnvFile,
): void {
  if (missing.length > 0) output.warn(`no value yet: ${missing.join(', ')}`)
  if (hidden.length > 0) output.warn(`not readable with this token: ${hidden.join(', ')}`)
  const { setByUser = [], onlyThisReader = [] } = rendered ?? {}
  if (setByUser.length > 0) output.warn(`also set in lines of your own: ${setByUser.join(', ')}`)
  if (onlyThisReader.length > 0) {
    output.warn(
      `other programs may read differently: ${onlyThisReader.join(', ')} (choose with --format)`,
    )
  }
}

interface DataPull {
  readonly target: SchemaTarget
  readonly stored: StoredValues
  readonly collected: Collected
  readonly format: 'json' | 'yaml'
  readonly flags: PullFlags
}

async function pullData(
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
    process.stdout.write(text)
    return
  }
  const path = resolve(session.cwd, flags.output ?? `.env.local.${format}`)
  const existing = await readExisting(path)
  if (existing !== '' && existing !== text && !flags.dryRun)
    await confirmReplacing(session, basename(path))
  const ignoreFile = await writeSecretFile(path, text, flags.dryRun === true)
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
  const head = `${basename(path)}  ${target.environment.name} v${stored.version} · ${countOf(values.size, 'value')} · ${format}`
  output.result(
    flags.dryRun ? `Would write ${head}` : `${output.styles.green('✓')} ${head} · mode 0600`,
  )
  if (ignoreFile !== undefined) output.note(`    added to ${basename(ignoreFile)}`)
}

async function confirmReplacing(session: Session, file: string): Promise<void> {
  if (session.flags.yes) return
  const { blockedBy } = session.prompts
  if (blockedBy !== undefined) {
    throw new CliError(
      'usage',
      'confirmation_required',
      `${file} exists and has no place for lines of yours; nobody can be asked: ${blockedBy}.`,
      {
        hint: 'Repeat with --yes to replace the whole file, or choose another with --output.',
      },
    )
  }
  if (!(await session.prompts.confirm(`Replace the whole of ${file}?`))) {
    throw new CliError('cancelled', 'cancelled', 'Cancelled. Nothing was changed.')
  }
}

function prefixOf(flag: string | undefined, format: string): string {
  if (flag === undefined) return ''
  if (flag !== 'auto') return flag
  return Object.values(dialects).find(({ name }) => name === format)?.publicPrefix ?? ''
}

async function readExisting(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}

export const pullCommand = buildCommand<PullFlags, [], CliContext>({
  func: action(pull),
  parameters: {
    flags: {
      ...globalFlags,
      env: envFlag,
      format: {
        kind: 'enum',
        values: formatNames,
        default: 'auto',
        placeholder: 'program',
        brief: 'The program that reads the file; auto looks into package.json',
      },
      output: textFlag('file', 'File to write (default .env.local; - prints it)'),
      prefix: textFlag('text', 'Put before public values and flags: NEXT_PUBLIC_, VITE_, or auto'),
      allowVariable: allowVariableFlag,
      allowCommandLike: switchFlag('Write values that some readers would run as a command'),
    },
  },
  docs: {
    brief: 'Write the values to .env.local',
    fullDescription: describe(
      'Writes the values of an environment between two marker lines of an env file, for the program that reads it, and checks that it will read what was meant. Your own lines stay. The file is yours alone (0600) and ignored by git.',
      [
        'signalbox pull --env development',
        'signalbox pull --env staging --format compose --output staging.env',
        'signalbox pull --env staging --format json --output - | jq .API_URL',
      ],
    ),
  },
})
