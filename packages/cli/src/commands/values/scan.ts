import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  describeLeak,
  fingerprintSecrets,
  type Leak,
  type SecretPatterns,
} from '@signalbox/config/leak-scan'
import { defineCommand, type FlagValues } from '../../action.ts'
import { schemaFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { getDefinitionPath, displayPath } from '../../definition/find-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { readSecrets } from '../../values/read-secrets.ts'
import { scanDirectory, type Scanned } from '../../scan/scan-directory.ts'
import type { Session } from '../../session.ts'
import { openSchemaTargets } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Styles } from '../../terminal/styles.ts'
import { printable } from '../../terminal/printable.ts'

const scanFlags = {
  ...schemaFlags,
  env: textFlag('names', 'Environments whose secrets to search for (default all)'),
  namesOnly: switchFlag('Search for the names in the definition only, without asking the server'),
} as const

type ScanFlags = FlagValues<typeof scanFlags>

/** Lists the folders that builds write to, in the order in which they are tried. */
const outputDirectories = ['dist', '.next/static', 'build', 'out', 'public/build'] as const

async function scan(
  session: Session,
  flags: ScanFlags,
  directory: string | undefined,
): Promise<void | { readonly exitWith: number }> {
  const path = await findOutput(session, directory)
  const search = await readSearch(session, flags)
  const startedAt = performance.now()
  const scanned = await session.progress(`Scanning ${displayPath(session, path)}`, () =>
    scanDirectory(path, search.patterns),
  )
  const seconds = (performance.now() - startedAt) / 1000
  report(session, { ...search, path, scanned, seconds })
  return scanned.leaks.length > 0 ? { exitWith: exitCodes.validation } : undefined
}

async function findOutput(session: Session, directory: string | undefined): Promise<string> {
  const candidates = directory === undefined ? outputDirectories : [directory]
  for (const candidate of candidates) {
    const path = resolve(session.cwd, candidate)
    if ((await stat(path).catch(() => undefined)) !== undefined) return path
  }
  throw new CliError(
    'usage',
    'no_build_output',
    directory === undefined
      ? `There is no build output here. Looked for ${outputDirectories.join(', ')}.`
      : `There is no ${directory}.`,
    {
      advice: `Build first, or name the directory: signalbox scan ${join('path', 'to', 'output')}`,
    },
  )
}

interface Search {
  readonly patterns: SecretPatterns
  /** Lists the names whose values are searched for. */
  readonly environments: readonly string[]
}

/** Returns the names of secrets and, unless only names are searched for, the values of all or of the named environments. */
async function readSearch(session: Session, flags: ScanFlags): Promise<Search> {
  if (flags.namesOnly) {
    return { patterns: { names: await declaredSecrets(session) }, environments: [] }
  }
  const targets = await session.progress('Reading the secrets', () =>
    openSchemaTargets(session, flags.env),
  )
  const { names, secrets } = await readSecrets(session, targets)
  // Example: `stripeKey of development, staging`.
  const values = Object.fromEntries(
    secrets.map(({ key, value, environments }) => [`${key} of ${environments.join(', ')}`, value]),
  )
  return {
    patterns: { names, values: fingerprintSecrets(values) },
    environments: targets.map(({ environment }) => environment.name),
  }
}

/** Returns the names of the definition's secrets. @throws {CliError} `definition_not_found` */
async function declaredSecrets(session: Session): Promise<string[]> {
  const { keys } = await readDefinition(session, await getDefinitionPath(session))
  return [...keys].filter(([, { tier }]) => tier === 'secret').map(([key]) => key)
}

interface Report extends Search {
  readonly path: string
  readonly scanned: Scanned
  readonly seconds: number
}

function report(
  session: Session,
  { path, scanned, patterns, environments, seconds }: Report,
): void {
  const { leaks, files, bytes } = scanned
  const { output } = session
  const { styles } = output
  const { names = [] } = patterns
  const tooPlain = patterns.values?.tooPlain ?? []
  if (tooPlain.length > 0) {
    output.warn(`too short or too common to search for: ${tooPlain.join('; ')}`)
  }
  output.document({
    directory: path,
    files,
    bytes,
    environments,
    secrets: names.length,
    tooPlain,
    leaks: leaks.map(toDocument),
  })
  for (const leak of leaks) output.data(`${styles.red('✗')} ${printable(describeLeak(leak))}`)
  const megabytes = (bytes / 1e6).toFixed(1)
  const read = styles.dim(`${countOf(files, 'file')}, ${megabytes} MB in ${seconds.toFixed(1)} s`)
  const whose = environments.length === 0 ? 'by name' : `of ${environments.join(', ')}`
  const what = `${countOf(names.length, 'secret')} ${whose}`
  output.result(
    leaks.length === 0
      ? `${styles.green('✓')} ${displayPath(session, path)} holds none of ${what}  ${read}`
      : `  ${displayPath(session, path)}: ${countOf(leaks.length, 'leak')}, looked for ${what}  ${read}`,
  )
  if (leaks.length > 0) output.note(fixOf(leaks, output.errorStyles))
}

/** Returns a leak as `--json` shows it. A value has its key and its environments. */
function toDocument({ kind, path, line, column, names, form }: Leak) {
  const [key, environments] = names[0]?.split(' of ') ?? []
  return kind === 'value'
    ? { kind, path, line, column, form, key, environments: environments?.split(', ') ?? [] }
    : { kind, path, line, column, form, keys: names }
}

function fixOf(leaks: readonly Leak[], styles: Styles): string {
  const exposed = leaks.some(({ kind }) => kind !== 'names')
  return [
    `  ${styles.dim('fix:')} in browser code, import only types from the definition`,
    ...(exposed ? ['       and rotate every secret that was already published'] : []),
  ].join('\n')
}

/** Defines `signalbox scan`. */
export const scanCommand = defineCommand({
  about:
    'Searches every file of a build output, including source maps, for the values of secrets (plain, base64, hex and escaped), for lists of their names, and for server keys. Shows file, line and key, never the value. Exits with 5 if it finds something.',
  examples: [
    'signalbox scan',
    'signalbox scan .next/static --env production',
    'signalbox scan dist --names-only            # offline',
  ],
  flags: scanFlags,
  args: [
    {
      brief: `Directory or file (default ${outputDirectories.join(', ')})`,
      placeholder: 'path',
      optional: true,
    },
  ],
  run: scan,
})
