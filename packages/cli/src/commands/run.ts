import process from 'node:process'
import type { ConfigValue } from '@signalbox/contract'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../action.ts'
import {
  allowVariableFlag,
  type CliContext,
  envFlag,
  type GlobalFlags,
  globalFlags,
  switchFlag,
} from '../cli-context.ts'
import { findDefinition } from '../definition/find-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { findValueFaults } from '../definition/validate-values.ts'
import { toEnvName } from '../env-file/env-name.ts'
import { assertDistinctNames } from '../env-file/entries.ts'
import { assertNoSteering } from '../env-file/steering-names.ts'
import { readValues } from '../read-values.ts'
import { runChild } from '../run/run-child.ts'
import {
  readSnapshot,
  type RunSnapshot,
  type SnapshotPlace,
  snapshotPlace,
  writeSnapshot,
} from '../run/snapshot-file.ts'
import type { Session } from '../session.ts'
import { chooseEnvironmentName, openSchemaTarget } from '../target.ts'
import { renderAge } from '../terminal/age.ts'
import { CliError } from '../terminal/cli-error.ts'

type RunFlags = GlobalFlags & {
  readonly env?: string | undefined
  readonly override?: boolean | undefined
  readonly offline?: boolean | undefined
  readonly fallbackOnly?: boolean | undefined
  readonly fallback: boolean
  readonly allowVariable?: readonly string[] | undefined
  readonly validate: boolean
}

/** How long to wait for the server when values are kept. */
const patienceMs = 5_000

type RunEnd = { readonly exitWith: number | NodeJS.Signals }

async function run(session: Session, flags: RunFlags, ...words: string[]): Promise<void | RunEnd> {
  const [command, ...args] = words
  if (command === undefined) {
    throw new CliError('usage', 'command_required', 'Which command? Nothing follows --.', {
      hint: 'signalbox run --env staging -- node server.js',
    })
  }
  const snapshot = await obtainValues(session, flags)
  if (flags.validate) await assertValid(session, snapshot)
  const variables = toVariables(snapshot.values, flags.allowVariable)
  if (flags.dryRun) {
    session.output.document({
      command: words,
      variables: Object.keys(variables),
      version: snapshot.version,
    })
    session.output.result(`Would run ${words.join(' ')} with ${Object.keys(variables).join(' ')}`)
    return
  }
  const given = { ...variables, ...(await placeVariables(session, snapshot)) }
  const env = flags.override ? { ...process.env, ...given } : { ...given, ...process.env }
  return { exitWith: await runChild({ command, args, env, cwd: session.cwd }) }
}

/** Where the values are from, so that the program can follow their changes itself. Never the token. */
async function placeVariables(
  session: Session,
  { schemaId, environmentId }: RunSnapshot,
): Promise<Record<string, string>> {
  return {
    SIGNALBOX_URL: (await session.server()).url,
    SIGNALBOX_SCHEMA_ID: schemaId,
    SIGNALBOX_ENVIRONMENT_ID: environmentId,
  }
}

async function obtainValues(session: Session, flags: RunFlags): Promise<RunSnapshot> {
  const token = (await session.findToken())?.token
  const place = await placeOfSnapshot(session, flags.env)
  const mayKeep = token !== undefined && flags.fallback
  const kept = mayKeep ? await readSnapshot(place, token) : undefined
  if (flags.offline || flags.fallbackOnly) return useSnapshot(session, kept)
  const fetching = session.progress('Reading the values', () => fetchValues(session, flags.env))
  const snapshot = await (kept === undefined ? fetching : orKept(session, fetching, kept))
  if (mayKeep && snapshot !== kept) {
    await keepSnapshot(session, () => writeSnapshot(place, token, snapshot))
  }
  return snapshot
}

/** The fetched values, or those that were kept when the server cannot be reached. A refusal is no outage. */
async function orKept(
  session: Session,
  fetching: Promise<RunSnapshot>,
  kept: RunSnapshot,
): Promise<RunSnapshot> {
  try {
    return await withinPatience(fetching)
  } catch (error) {
    if (!isOutage(error)) throw error
    session.output.warn(error instanceof Error ? error.message : String(error))
    return useSnapshot(session, kept)
  }
}

/** A server that takes connections and answers nothing must not hold back a program that could start. */
async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = patienceMs / 1000
      reject(
        new CliError(
          'unreachable',
          'unreachable',
          `The server did not answer within ${seconds} s.`,
        ),
      )
    }, patienceMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // It may still fail later, when nobody waits for it any more.
    work.catch(() => undefined)
  }
}

/** Named by what is asked for, not by ids: those are only known while the server answers. */
async function placeOfSnapshot(session: Session, env: string | undefined): Promise<SnapshotPlace> {
  const { url } = await session.server()
  const project = (await session.project())?.project
  const organization = session.env['SIGNALBOX_ORGANIZATION'] ?? project?.organization
  const environment = await chooseEnvironmentName(session, env)
  return snapshotPlace(session.env, [url, organization, project?.schema, environment])
}

async function fetchValues(session: Session, env: string | undefined): Promise<RunSnapshot> {
  const stored = await readValues(await openSchemaTarget(session, env))
  const hidden = Object.entries(stored.values).flatMap(([key, { value, source }]) =>
    value === undefined && source !== 'missing' ? [key] : [],
  )
  if (hidden.length > 0) session.output.warn(`not readable with this token: ${hidden.join(', ')}`)
  const values = Object.entries(stored.values).flatMap(([key, { value }]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  const { schemaId, environmentId } = stored
  return {
    schemaId,
    environmentId,
    fetchedAt: new Date().toISOString(),
    version: stored.version,
    values: Object.fromEntries(values),
  }
}

/** A full disk must not keep a program from starting. */
async function keepSnapshot(session: Session, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    session.output.detail(`no snapshot kept: ${error instanceof Error ? error.message : ''}`)
  }
}

function useSnapshot(session: Session, snapshot: RunSnapshot | undefined): RunSnapshot {
  if (snapshot === undefined) {
    throw new CliError(
      'unreachable',
      'no_snapshot',
      'There are no kept values for this environment and token.',
      {
        hint: 'Run once while the server can be reached: signalbox run --env <name> -- true',
      },
    )
  }
  const age = renderAge(new Date(snapshot.fetchedAt), new Date())
  session.output.warn(
    `using the values kept ${age} ago (v${snapshot.version}, ${snapshot.fetchedAt})`,
  )
  return snapshot
}

function isOutage(error: unknown): boolean {
  return error instanceof CliError && (error.reason === 'unreachable' || error.code === 'internal')
}

async function assertValid(session: Session, { values }: RunSnapshot): Promise<void> {
  const path = await findDefinition(session)
  if (path === undefined) return
  const definition = await readDefinition(session, path)
  const faults = await findValueFaults(definition, values)
  if (faults.length === 0) return
  throw new CliError(
    'validation',
    'invalid_values',
    'The program was not started: values do not fit the definition.',
    {
      details: faults.map(({ key, detail }) => `${key}: ${detail}`),
      hint: 'signalbox set <key> --env <name>, or start anyway with --no-validate',
    },
  )
}

function toVariables(
  values: Readonly<Record<string, ConfigValue>>,
  allowed: readonly string[] | undefined,
): Record<string, string> {
  const keys = Object.keys(values)
  assertDistinctNames(keys)
  assertNoSteering(
    keys.map((key) => ({ key, name: toEnvName(key) })),
    allowed,
  )
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [toEnvName(key), String(value)]),
  )
}

export const runCommand = buildCommand<RunFlags, string[], CliContext>({
  func: action(run),
  parameters: {
    flags: {
      ...globalFlags,
      env: envFlag,
      allowVariable: allowVariableFlag,
      override: switchFlag('Values win over variables that are set already'),
      offline: switchFlag('Use the kept values; ask no server'),
      fallbackOnly: { ...switchFlag('The same as --offline'), hidden: true },
      fallback: {
        kind: 'boolean',
        default: true,
        brief: 'Keep values, encrypted, for when the server cannot be reached',
      },
      validate: {
        kind: 'boolean',
        default: true,
        brief: 'Check the values against the definition file, when there is one',
      },
    },
    positional: {
      kind: 'array',
      parameter: {
        brief: 'Command with its arguments, after --',
        parse: (input: string) => input,
        placeholder: 'command',
      },
    },
  },
  docs: {
    brief: 'Run a program with the values as variables',
    fullDescription: describe(
      'Fetches the values of an environment and starts a program with them: apiUrl becomes API_URL. Nothing is written in the clear. The last good values are kept sealed with a key derived from the token, so that the program starts when the server is gone.',
      [
        'signalbox run --env development -- node server.js',
        'signalbox run --env staging --override -- npm test',
        'signalbox run --offline -- ./start.sh',
      ],
    ),
  },
})
