import { toVariableText, type Tier } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import {
  allowVariableFlag,
  targetFlags,
  prefixFlag,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import { assertSound } from '../../check/print-check.ts'
import { findDefinition } from '../../definition/find-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { findValueViolations } from '../../definition/validate-values.ts'
import { assertDistinctNames } from '../../env-file/entries.ts'
import { findReplacedByNext } from '../../env-file/find-replaced-by-next.ts'
import { toPrefixedName } from '../../env-file/env-name.ts'
import { leaveOutUnusable } from '../../env-file/leave-out.ts'
import { findPrefix } from '../../env-file/find-prefix.ts'
import { obtainValues } from '../../run/obtain-values.ts'
import { runChild } from '../../run/run-child.ts'
import type { RunSnapshot } from '../../run/snapshot-file.ts'
import type { Session } from '../../session.ts'
import { chooseEnvironmentName } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'

const runFlags = {
  ...targetFlags,
  allowVariable: allowVariableFlag,
  prefix: prefixFlag,
  override: switchFlag('Replace variables that are already set'),
  offline: switchFlag('Use the stored values without asking the server'),
  fallbackOnly: { ...switchFlag('The same as --offline'), hidden: true },
  fallback: textFlag('file', 'Store the values in this file, for a container image'),
  noFallback: switchFlag('Store no values, and use no stored ones'),
  noValidate: switchFlag('Start the program without the validators of the definition file'),
} as const

type RunFlags = FlagValues<typeof runFlags>

type RunEnd = { readonly exitWith: number | NodeJS.Signals }

async function run(session: Session, flags: RunFlags, ...words: string[]): Promise<void | RunEnd> {
  const [command, ...args] = words
  if (command === undefined) {
    throw new CliError('usage', 'command_required', 'No command follows --.', {
      advice: 'signalbox run --env staging -- node server.js',
    })
  }
  const snapshot = await obtainValues(session, {
    env: flags.env,
    offline: flags.offline === true || flags.fallbackOnly === true,
    keeps: flags.noFallback !== true,
    file: flags.fallback,
  })
  if (!flags.noValidate)
    await assertValid(session, snapshot, await chooseEnvironmentName(session, flags.env))
  const variables = await toVariables(session, snapshot, flags)
  if (flags.dryRun) {
    session.output.document({
      command: words,
      variables: Object.keys(variables),
      version: snapshot.version,
    })
    session.output.result(`Would run ${words.join(' ')} with ${Object.keys(variables).join(' ')}`)
    return
  }
  const ownVariables = { ...variables, ...(await collectVariables(session, snapshot)) }
  const inherited = inheritedVariables(session.env)
  if (!flags.override) reportWinningVariables(session, ownVariables, inherited)
  const env = flags.override ? { ...inherited, ...ownVariables } : { ...ownVariables, ...inherited }
  await reportReplacedVariables(session, ownVariables)
  return { exitWith: await runChild(session, command, args, env) }
}

/** Says which variables are set already to something else, and so do not get Signalbox's value. Never a value. */
function reportWinningVariables(
  { output }: Session,
  own: Readonly<Record<string, string>>,
  inherited: NodeJS.ProcessEnv,
): void {
  const names = Object.keys(own).filter((name) => (inherited[name] ?? own[name]) !== own[name])
  if (names.length === 0) return
  output.status(
    { setAlready: names },
    `already set, not changed: ${names.join(', ')} (--override replaces them)`,
  )
}

/** Says which values Next.js would cut, because a file that it reads has them too. Never a value. */
async function reportReplacedVariables(
  { output, cwd }: Session,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { name, file } of await findReplacedByNext(cwd, own)) {
    output.warn(
      `${name}: ${file} sets it too, so Next.js takes the “$…” in its value for a reference and cuts it. Remove ${name} from ${file}, or start the program without signalbox run`,
    )
  }
}

/** Returns the inherited variables without the passphrase of the stored values. */
function inheritedVariables({ ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  delete env['SIGNALBOX_PASSPHRASE']
  delete env['SIGNALBOX_PASSPHRASE_FILE']
  return env
}

/** Returns the source of the values, so that the program can follow their changes itself. Never the token. */
async function collectVariables(
  session: Session,
  { schemaId, environmentId, configUrl }: RunSnapshot,
): Promise<Record<string, string>> {
  const { url } = await session.server()
  return {
    SIGNALBOX_URL: url,
    SIGNALBOX_CONFIG_URL: configUrl,
    SIGNALBOX_SCHEMA_ID: schemaId,
    SIGNALBOX_ENVIRONMENT_ID: environmentId,
  }
}

async function assertValid(
  session: Session,
  { values }: RunSnapshot,
  environment: string,
): Promise<void> {
  const path = await findDefinition(session)
  if (path === undefined) return
  const definition = await readDefinition(session, path)
  assertSound(session, definition)
  const { missing, invalid } = await findValueViolations(definition, values)
  const violations = [
    ...invalid,
    ...missing.map((key) => ({ key, detail: 'is required and has no value' })),
  ]
  if (violations.length === 0) return
  throw new CliError(
    'validation',
    'invalid_values',
    "The program was not started, because values don't fit the definition.",
    {
      details: violations.map(({ key, detail }) => `${key}: ${detail}`),
      advice: [
        ...violations.map(({ key }) => `signalbox set ${key} --env ${environment}`),
        'or start anyway with --no-validate',
      ].join('\n'),
    },
  )
}

async function toVariables(
  { output, cwd }: Session,
  { values, secrets, variables }: RunSnapshot,
  { allowVariable, prefix: flag }: RunFlags,
): Promise<Record<string, string>> {
  const prefix = await findPrefix(flag, cwd)
  const tierOf = (key: string): Tier => (secrets.includes(key) ? 'secret' : 'public')
  const toName = (key: string) =>
    toPrefixedName(key, { tier: tierOf(key), variable: variables[key] }, prefix)
  assertDistinctNames(Object.keys(values), toName)
  const entries = Object.entries(values).map(([key, value]) => ({
    key,
    name: toName(key),
    tier: tierOf(key),
    value,
  }))
  return Object.fromEntries(
    leaveOutUnusable(output, entries, allowVariable).map(({ name, value }) => [
      name,
      toVariableText(value),
    ]),
  )
}

/** Defines `signalbox run`. */
export const runCommand = defineCommand({
  about:
    'Fetches the values of an environment and starts a program with them: apiUrl becomes API_URL. Writes nothing in plain text. Stores the last values encrypted, with a key derived from the token or from SIGNALBOX_PASSPHRASE, so that the program also starts when the server is unreachable.',
  examples: [
    'signalbox run --env development -- node server.js',
    'signalbox run --env staging --override -- npm test',
    'signalbox run --env development --prefix auto -- next dev   # NEXT_PUBLIC_API_URL',
    'signalbox run --offline -- ./start.sh',
    'signalbox run --env production --fallback values.sealed -- true   # while an image is built',
  ],
  flags: runFlags,
  args: {
    brief: 'Command with its arguments, after --',
    placeholder: 'command',
    minimum: 0,
  },
  run: run,
})
