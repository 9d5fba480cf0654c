import { basename, resolve } from 'node:path'
import { toVariableText } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import {
  allowVariableFlag,
  targetFlags,
  prefixFlag,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import { detectDialect } from '../../env-file/detect-format.ts'
import { dialects, type FormatName, formatNames } from '../../env-file/dialects.ts'
import { collectEntries, type Collected, type CollectedEntry } from '../../env-file/entries.ts'
import { entriesOf, isManifestFormat } from '../../env-file/render-manifest.ts'
import { renderEnvFile } from '../../env-file/render-env-file.ts'
import { findPrefix } from '../../env-file/find-prefix.ts'
import {
  leaveOutPublished,
  leaveOutUnreadable,
  leaveOutUnusable,
} from '../../env-file/leave-out.ts'
import { readExisting, writeSecretFile } from '../../project/secret-file.ts'
import { assertWritablePath } from '../../project/write-file.ts'
import { readValues } from '../../values/read-values.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { openSchemaTarget } from '../../target.ts'
import { printPull, warnAbout, warnOfGit } from './print-pull.ts'
import { pullData } from './pull-data.ts'
import { pullFlagd } from './pull-flagd.ts'
import { pullManifest } from './pull-manifest.ts'

const pullFlags = {
  ...targetFlags,
  format: {
    kind: 'enum',
    values: formatNames,
    default: 'auto',
    placeholder: 'program',
    brief: 'The program that reads the file; auto reads package.json',
  },
  output: textFlag('file', 'File to write (default .env.local; - prints it)'),
  name: textFlag('name', 'Name of the Kubernetes object (default: of the schema)'),
  namespace: textFlag('name', 'Namespace of the Kubernetes object'),
  prefix: prefixFlag,
  allowVariable: allowVariableFlag,
  watch: switchFlag('With --format flagd: keep the file up to date until you stop it'),
  allowCommandLike: switchFlag('Write values that some readers would run as a command'),
} as const

const toTextEntry = ({ name, key, value }: CollectedEntry) => ({
  name,
  key,
  value: toVariableText(value),
})

type PullFlags = FlagValues<typeof pullFlags>

async function pull(session: Session, flags: PullFlags): Promise<void> {
  if (flags.output !== undefined && flags.output !== '-') {
    await assertWritablePath(resolve(session.cwd, flags.output))
  }
  assertFlagsOfFormat(flags)
  if (flags.format === 'flagd') return pullFlagd(session, flags)
  const target = await openSchemaTarget(session, flags.env)
  const stored = await session.progress(`Reading ${target.environment.name}`, () =>
    readValues(target),
  )
  const format = flags.format === 'auto' ? await detectDialect(session.cwd) : flags.format
  const all = collectEntries({
    schema: target.schema.schema,
    values: stored.values,
    prefix: await findPrefix(flags.prefix, session.cwd, format),
  })
  const collected = { ...all, entries: chooseEntries(session, all, flags, format) }
  if (format === 'json' || format === 'yaml')
    return pullData(session, { target, stored, collected, format, flags })
  if (isManifestFormat(format))
    return pullManifest(session, { target, stored, collected, format, flags })
  const path = resolve(session.cwd, flags.output ?? '.env.local')
  const rendered = renderEnvFile({
    path: basename(path),
    existing: flags.output === '-' ? '' : await readExisting(path),
    entries: collected.entries.map(toTextEntry),
    dialect: dialects[format],
    header: {
      environment: target.environment.name,
      version: stored.version,
      writtenAt: new Date().toISOString(),
    },
    allowCommandLike: flags.allowCommandLike === true,
  })
  if (flags.output === '-') {
    session.output.raw(rendered.text)
    warnAbout(session, collected, rendered)
    return
  }
  const { ignoreFile, isExposed } = await writeSecretFile({
    path,
    text: rendered.text,
    projectDirectory: session.cwd,
    dryRun: flags.dryRun === true,
  })
  printPull(session, {
    target,
    stored,
    collected,
    rendered,
    format,
    path,
    dryRun: flags.dryRun === true,
    ignoreFile,
  })
  if (isExposed) warnOfGit(session, path)
}

function assertFlagsOfFormat({ format, name, namespace, watch }: PullFlags): void {
  if (watch === true && format !== 'flagd') throw watchNeedsFlagd()
  if (isManifestFormat(format) || (name === undefined && namespace === undefined)) return
  throw new CliError(
    'usage',
    'wrong_flags',
    '--name and --namespace belong to Kubernetes objects.',
    {
      advice: 'Add --format k8s-secret or --format k8s-configmap.',
    },
  )
}

function watchNeedsFlagd(): CliError {
  return new CliError('usage', 'watch_needs_flagd', 'Only --format flagd can be watched.', {
    advice:
      'Start your program with its values, and again after a change: signalbox run --env <name> -- <command>',
  })
}

/** Returns the entries that a format may hold. */
function chooseEntries(
  { output }: Session,
  { entries }: Collected,
  { allowVariable }: PullFlags,
  format: Exclude<FormatName, 'auto'>,
): CollectedEntry[] {
  if (format === 'json' || format === 'yaml') return leaveOutPublished(output, entries)
  if (isManifestFormat(format))
    return leaveOutUnusable(output, entriesOf(format, entries), allowVariable)
  const usable = leaveOutUnusable(output, entries, allowVariable)
  return format === 'flagd' ? usable : leaveOutUnreadable(output, usable, dialects[format])
}

/** Defines `signalbox pull`. */
export const pullCommand = defineCommand({
  about:
    'Writes the values of an environment between two marker lines of an env file, quoted so that the program that reads the file gets exactly these values. Your own lines stay. Only you can read the file (mode 0600), and git ignores it. --format k8s-secret writes the secrets as a Kubernetes Secret, and k8s-configmap all other values as a ConfigMap, with the version as annotation.',
  examples: [
    'signalbox pull --env development',
    'signalbox pull --env staging --format compose --output staging.env',
    'signalbox pull --env staging --format json --output - | jq .API_URL',
    'signalbox pull --env production --format k8s-secret --output - | kubectl apply -f -',
    'signalbox pull --env production --format flagd --output flags.flagd.json --watch',
  ],
  flags: pullFlags,
  run: pull,
})
