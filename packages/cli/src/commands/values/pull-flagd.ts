import { basename, resolve } from 'node:path'
import type { FlagdDefinition } from '../../api/operations.ts'
import { ApiError } from '../../api/problem-error.ts'
import type { TargetFlags } from '../../cli-context.ts'
import { parseJsonObject } from '../../project/json.ts'
import { readExisting, writeSecretFile } from '../../project/secret-file.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import { confirmReplacing, warnOfGit } from './print-pull.ts'
import { watchDefinition } from './watch-definition.ts'

export interface FlagdPull extends TargetFlags {
  readonly output?: string | undefined
  readonly watch?: boolean | undefined
}

const defaultFile = 'flags.flagd.json'

/**
 * Writes the flags of an environment as flagd reads them, in one step: a reader sees the old definition or the new one.
 * With `watch` it goes on until it is stopped.
 */
export async function pullFlagd(session: Session, flags: FlagdPull): Promise<void> {
  const toStandardOutput = flags.output === '-'
  if (flags.watch === true && (toStandardOutput || flags.dryRun === true)) {
    throw new CliError('usage', 'watch_needs_file', '--watch keeps a file up to date.', {
      advice: `Name one: signalbox pull --format flagd --watch --output ${defaultFile}`,
    })
  }
  const target = await openSchemaTarget(session, flags.env)
  const first = await readDefinition(target, undefined)
  if (first.body === undefined) throw new Error('The first read has no answer to compare with')
  if (toStandardOutput) {
    warnOfDifferences(session, first.body)
    session.output.raw(render(first.body))
    return
  }
  const path = resolve(session.cwd, flags.output ?? defaultFile)
  const existing = await readExisting(path)
  const isForeign = existing !== '' && !isDefinition(existing)
  if (isForeign && flags.dryRun !== true) await confirmReplacing(session, basename(path))
  const write = (definition: FlagdDefinition) =>
    writeDefinition(session, { target, definition, path, dryRun: flags.dryRun === true })
  await write(first.body)
  if (flags.watch !== true) return
  session.output.note('    following changes; Ctrl+C stops')
  await watchDefinition(session, {
    etag: first.etag,
    read: (etag) => readDefinition(target, etag),
    write,
  })
}

async function readDefinition(
  { api, organization, environment, schema }: SchemaTarget,
  etag: string | undefined,
) {
  try {
    return await api.callAgain(
      'readFlagdDefinition',
      {
        params: { org_id: organization.id },
        query: { environment: environment.id, schema: schema.id },
      },
      etag,
    )
  } catch (error) {
    // The environment exists: it was just looked up.
    if (etag === undefined && error instanceof ApiError && error.status === 404) {
      throw notDelivered(api.serverUrl, error)
    }
    throw error
  }
}

function notDelivered(serverUrl: string, cause: ApiError): CliError {
  return new CliError('failure', 'no_delivery', `${serverUrl} has no definition of these flags.`, {
    advice: 'Where the delivery has an address of its own, name that one: --server <address>',
    cause,
  })
}

function render(definition: FlagdDefinition): string {
  return `${JSON.stringify(definition, undefined, 2)}\n`
}

/** Returns whether a file is a definition, which the next one may replace without a question. */
function isDefinition(text: string): boolean {
  const flags = parseJsonObject(text)?.['flags']
  return typeof flags === 'object' && flags !== null
}

interface Written {
  readonly target: SchemaTarget
  readonly definition: FlagdDefinition
  readonly path: string
  readonly dryRun: boolean
}

async function writeDefinition(
  session: Session,
  { target, definition, path, dryRun }: Written,
): Promise<void> {
  const { output } = session
  warnOfDifferences(session, definition)
  const { ignoreFile, isExposed } = await writeSecretFile({
    path,
    text: render(definition),
    projectDirectory: session.cwd,
    dryRun,
  })
  if (isExposed) warnOfGit(session, path)
  const { leftOut, flagSetId } = definition.metadata
  output.document({
    file: path,
    format: 'flagd',
    environment: target.environment.name,
    schema: target.schema.name,
    flagSetId,
    dryRun,
    flags: Object.keys(definition.flags),
    leftOut: leftOut ?? null,
    differs: Object.fromEntries(listDifferences(definition)),
  })
  const count = countOf(Object.keys(definition.flags).length, 'flag')
  const summary = `${basename(path)}  ${target.environment.name} · ${count} · flagd`
  output.result(
    dryRun ? `Would write ${summary}` : `${output.styles.green('✓')} ${summary} · mode 0600`,
  )
  if (ignoreFile !== undefined) output.note(`    added to ${basename(ignoreFile)}`)
}

function listDifferences({ flags }: FlagdDefinition): [name: string, differs: string][] {
  return Object.entries(flags).flatMap(([name, { metadata }]) =>
    metadata.differs === undefined ? [] : [[name, metadata.differs]],
  )
}

/** Warns of flags that flagd cannot evaluate as Signalbox does, and of those that it evaluates otherwise in rare cases. */
function warnOfDifferences({ output }: Session, definition: FlagdDefinition): void {
  const { leftOut } = definition.metadata
  if (leftOut !== undefined) output.warn(`left out: ${leftOut}`)
  for (const [name, differs] of listDifferences(definition)) output.warn(`${name}: ${differs}`)
}
