import { setTimeout as sleep } from 'node:timers/promises'
import { importSources } from '@signalbox/contract'
import type { FlagValues } from '../../action.ts'
import { changeFlags } from '../../changes/confirmation.ts'
import { listFlag, switchFlag, textFlag } from '../../cli-context.ts'
import { createAsk } from '../../importers/ask-product.ts'
import {
  ExportError,
  type Importer,
  type ReadExport,
  type ReadOptions,
} from '../../importers/importer.ts'
import { readExportFile } from '../../importers/read-export-file.ts'
import { recognizeSource } from '../../importers/recognize-source.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** Lists the flags of `signalbox import`. */
export const importFlags = {
  fromEnv: switchFlag("Read with the product's token from the environment"),
  fromStdin: switchFlag("Read with the product's token from stdin"),
  printDefinition: switchFlag('Print the imported keys as signalbox.config.ts, after the plan'),
  schema: textFlag('name', 'Schema to import into (default: that of the project)'),
  env: textFlag('name', 'Environment of an export that is about one'),
  project: textFlag('key', 'Project to read, with --from-env'),
  environments: listFlag('names', 'Their environments to read, with --from-env'),
  path: textFlag('path', 'Folder or secret to read, with --from-env'),
  prefix: textFlag('folder', 'Folder that names lose (default: what all have in common)'),
  namespace: textFlag('name', 'Namespace to read, of an export of Flipt with several'),
  map: listFlag('theirs=ours', 'Environments that have another name here'),
  update: listFlag('keys', 'Existing keys that may change'),
  allowPlain: listFlag('keys', 'Keys that have the form of a credential and are no secrets'),
  accept: listFlag('codes', 'HIGH issues that you accept, such as LD-T020'),
  compare: textFlag(
    'contexts.jsonl',
    "Decide these contexts with the product's SDK and with ours, and import nothing",
  ),
  force: switchFlag('With an export of the server: replace what the database holds'),
  ...changeFlags,
} as const

export type ImportFlags = FlagValues<typeof importFlags>

/**
 * Reads the export of a source: from a file, from standard input, or with the token of the product.
 *
 * @throws {CliError} `invalid_export`, `file_required`, `file_or_token`, `invalid_map`
 */
export async function readSource(
  session: Session,
  flags: ImportFlags,
  importer: Importer,
  file: string | undefined,
): Promise<{ readonly text: string; readonly options: ReadOptions; readonly read: ReadExport }> {
  const options = {
    environment: flags.env,
    environments: new Map(toPairs(flags.map ?? [])),
    prefix: flags.prefix,
    namespace: flags.namespace,
  }
  const text = await orExportError(importer, { flags, file }, () =>
    readText(session, flags, importer, file),
  )
  const read = await orExportError(importer, { flags, file, text }, () =>
    importer.fromFile(text, options),
  )
  return { text, options, read }
}

interface ReadFrom {
  readonly flags: ImportFlags
  readonly file: string | undefined
  readonly text?: string
}

/** Says where an export can't be read, and of which other product it looks to be. */
async function orExportError<Result>(
  importer: Importer,
  { flags, file, text = '' }: ReadFrom,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ExportError)) throw error
    const source = file === undefined || file === '-' ? importSources[importer.source] : file
    const other = recognizeSource(text)
    const advice = [
      ...(other === undefined || other === importer.source
        ? []
        : [
            `It looks like an export of ${importSources[other]}: signalbox import ${other} ${file ?? '-'}`,
          ]),
      ...(flags.environments === undefined ? [] : [`Asked for: ${flags.environments.join(', ')}`]),
    ].join('\n')
    throw new CliError('validation', 'invalid_export', `${source}: ${error.message}`, {
      advice: advice === '' ? undefined : advice,
    })
  }
}

async function readText(
  session: Session,
  flags: ImportFlags,
  importer: Importer,
  file: string | undefined,
): Promise<string> {
  const name = importSources[importer.source]
  if (flags.fromEnv !== true && flags.fromStdin !== true) {
    if (file === undefined) {
      throw new CliError('usage', 'file_required', `The export of ${name} is missing.`, {
        advice: `signalbox import ${importer.source} <file>${importer.fromToken === undefined ? '' : `\nsignalbox import ${importer.source} --from-env   reads with the token of the environment`}`,
      })
    }
    return readExportFile({
      path: file,
      cwd: session.cwd,
      stdin: session.stdin,
      holdsSecrets: importer.variableCodes !== undefined,
      hasTokenOnStdin: flags.tokenStdin === true,
    })
  }
  return readWithToken(session, flags, importer, file)
}

async function readWithToken(
  session: Session,
  flags: ImportFlags,
  importer: Importer,
  file: string | undefined,
): Promise<string> {
  const name = importSources[importer.source]
  const { fromToken, tokenVariable } = importer
  if (fromToken === undefined || file !== undefined) {
    const why =
      file === undefined ? `${name} is read from a file.` : 'Use a file or a token, not both.'
    throw new CliError('usage', 'file_or_token', why)
  }
  const env =
    flags.fromStdin === true
      ? { ...session.env, ...(await readTokenFromStdin(session, name, tokenVariable)) }
      : session.env
  const ask = createAsk({
    fetch,
    now: () => new Date(),
    hidden: [env[tokenVariable ?? ''] ?? ''],
    wait: async (seconds, why) => {
      session.output.note(`${why}: ${Math.ceil(seconds)} s.`)
      await sleep(seconds * 1000)
    },
  })
  const { project, path, environments = [] } = flags
  return session.progress(`Reading from ${name}`, () =>
    fromToken({ env, project, path, environments, ask }),
  )
}

/** Reads the product's token from stdin, which holds nothing else then. */
async function readTokenFromStdin(
  { stdin, flags }: Session,
  name: string,
  tokenVariable: string | undefined,
): Promise<Record<string, string>> {
  if (tokenVariable === undefined) {
    const why = `${name} needs several credentials. Set them in the environment, and give --from-env.`
    throw new CliError('usage', 'file_or_token', why)
  }
  const token = await readExportFile({
    path: '-',
    cwd: '',
    stdin,
    holdsSecrets: true,
    hasTokenOnStdin: flags.tokenStdin === true,
  })
  return { [tokenVariable]: token.trim() }
}

function toPairs(pairs: readonly string[]): [theirs: string, ours: string][] {
  return pairs.map((pair) => {
    const [theirs = '', ours = ''] = pair.split('=')
    if (theirs !== '' && ours !== '') return [theirs, ours]
    throw new CliError('usage', 'invalid_map', `"${pair}" maps nothing.`, {
      advice: '--map prod=production,stage=staging',
    })
  })
}
