import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import { readSandbox, settingsFor } from '../../demo/sandbox-control.ts'
import { setUp, type DemoAccount, type SetUp } from '../../demo/set-up.ts'
import { startProgram, type RunningProgram } from '../../demo/start-program.ts'
import { findProgram } from '../../server-bin/find-program.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'

type DemoFlags = GlobalFlags & {
  readonly keep?: boolean | undefined
  readonly dataDir?: string | undefined
  readonly port?: string | undefined
}

async function demo(session: Session, flags: DemoFlags): Promise<void> {
  if (flags.dryRun) throw new CliError('usage', 'no_dry_run', 'demo has no dry run.')
  const port = readPort(flags.port)
  const directory = await openDirectory(session, flags)
  const running: RunningProgram[] = []
  const stopped = stopSignal()
  try {
    const options = { directory: directory.path, port, running, signal: stopped }
    const started = await session.progress('Starting', () => startAll(session, options))
    stopped.throwIfAborted()
    const onStep = (text: string) => session.output.note(text)
    const account = await setUp({ ...started, onStep })
    stopped.throwIfAborted()
    print(session, { ...started, account, directory })
    const ended = await Promise.race([aborted(stopped), ...running.map((program) => program.ended)])
    if (ended !== undefined) throw ended
  } catch (error) {
    // A step that was running when the demo was stopped has not finished.
    if (!stopped.aborted) throw error
  } finally {
    if (stopped.aborted) session.output.note('Stopping …')
    // Stops the service first, because it still talks to the providers.
    for (const program of running.toReversed()) await program.stop()
    if (!directory.isKept) await rm(directory.path, { recursive: true, force: true })
  }
}

const portMax = 65_535

/** @throws {CliError} `invalid_port` */
function readPort(text = '0'): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= portMax) return text
  throw new CliError('usage', 'invalid_port', `--port takes a number up to ${portMax}.`)
}

interface DataDirectory {
  readonly path: string
  readonly isKept: boolean
}

async function openDirectory(session: Session, flags: DemoFlags): Promise<DataDirectory> {
  if (flags.dataDir !== undefined) {
    return { path: resolve(session.cwd, flags.dataDir), isKept: true }
  }
  const path = await mkdtemp(join(tmpdir(), 'signalbox-demo-'))
  // Opens the directory to other users: PostgreSQL runs as another user when root starts it.
  await chmod(path, 0o711)
  return { path, isKept: flags.keep === true }
}

/** Aborts at the first signal. A second one ends the process at once, as usual; its child processes notice that. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const stop = () => {
    for (const name of names) process.off(name, stop)
    controller.abort()
  }
  for (const name of names) process.on(name, stop)
  return controller.signal
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

interface StartOptions {
  readonly directory: string
  readonly port: string
  /** Lists the programs to stop, in the order of their start. */
  readonly running: RunningProgram[]
  readonly signal: AbortSignal
}

/** Holds the addresses of both, and the address of the set-up. */
type Started = Pick<SetUp, 'service' | 'setupUrl' | 'sandbox'>

async function startAll(session: Session, options: StartOptions): Promise<Started> {
  const { directory, port, running, signal } = options
  const [server, sandboxProgram] = await Promise.all([
    findProgram(session, { name: '@signalbox/server', called: 'server' }),
    findProgram(session, { name: '@signalbox/sandbox', called: 'sandbox' }),
  ])
  const env = ownEnvironment()
  const { cwd } = session
  const started = await startProgram({
    program: sandboxProgram,
    called: 'sandbox',
    args: [],
    env,
    cwd,
    signal,
  })
  running.push(started)
  const sandbox = await readSandbox(String(started.started['origin']))
  const service = await startProgram({
    program: server,
    called: 'server',
    args: ['start'],
    env: {
      ...env,
      ...settingsFor(sandbox),
      SIGNALBOX_DATA_DIR: join(directory, 'data'),
      SIGNALBOX_API_PORT: port,
      SIGNALBOX_DELIVERY_PORT: '0',
      SIGNALBOX_LOG_LEVEL: 'warn',
    },
    cwd,
    signal,
    advice: { eaddrinuse: 'Choose another one with --port, or leave it out: any free one.' },
  })
  running.push(service)
  const { apiUrl, setupUrl } = service.started
  if (typeof apiUrl !== 'string' || typeof setupUrl !== 'string') throw setUpAlready(directory)
  return { service: apiUrl, setupUrl, sandbox }
}

/** Removes the settings of a real service from the environment of this one. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('SIGNALBOX_') && name !== 'DATABASE_URL',
    ),
  )
}

function setUpAlready(directory: string): CliError {
  return new CliError('usage', 'set_up_already', `${directory} holds a service that is set up.`, {
    advice: [
      'The sandbox forgets when it stops, so its connections lead nowhere: name an empty directory.',
      `To look into it: SIGNALBOX_DATA_DIR=${join(directory, 'data')} signalbox start`,
    ].join('\n'),
  })
}

interface DemoSummary extends Started {
  readonly account: DemoAccount
  readonly directory: DataDirectory
}

function print({ output }: Session, { service, sandbox, account, directory }: DemoSummary): void {
  const { email, password, orgId, token } = account
  const keptDirectory = directory.isKept ? { dataDir: directory.path } : {}
  const deployments = `${service}/organizations/${orgId}/deployments`
  const push = sandbox.origin
  const channel = sandbox.channels.find(({ name }) => name === 'deployments')?.url ?? ''
  output.document({ service, push, channel, deployments, ...account, ...keptDirectory })
  const { bold, dim } = output.styles
  const rows = [
    ['Push', push, 'press the button, and choose what goes wrong'],
    ['Chat', channel, 'one message for each deployment'],
    ['Deployments', deployments, 'the same as JSON, once you are signed in below'],
    ['Signalbox', service, `${email}  ${password}`],
    [
      'Terminal',
      `SIGNALBOX_URL=${service} SIGNALBOX_TOKEN=${token}`,
      'for signalbox whoami, report …',
    ],
    ...(directory.isKept ? [['Data', directory.path, 'stays when it is stopped']] : []),
  ]
  output.result('')
  for (const [name = '', where = '', what = ''] of rows) {
    output.result(`  ${bold(name.padEnd(12))}${where}\n  ${' '.repeat(12)}${dim(what)}`)
  }
  output.result('')
  output.note(
    directory.isKept
      ? 'Ctrl-C stops both; the data stays.'
      : 'Ctrl-C stops both, and nothing is left of them.',
  )
}

/** Defines `signalbox demo`. */
export const demoCommand = buildCommand<DemoFlags, [], CliContext>({
  func: action(demo),
  parameters: {
    flags: {
      ...globalFlags,
      yes: { ...globalFlags.yes, hidden: true },
      dryRun: { ...globalFlags.dryRun, hidden: true },
      keep: switchFlag('Keep the data of the service'),
      dataDir: textFlag('dir', 'Where the data is kept (default a temporary directory)'),
      port: textFlag('number', 'Port of the service (default any free one)'),
    },
  },
  docs: {
    brief: 'Try everything, without an account anywhere',
    fullDescription: describe(
      'Starts the server and a sandbox that stands for GitHub, Jira and Slack, connects them, and shows where to push and where to see what comes of it. Nothing leaves this machine. Ctrl-C stops both.',
      ['signalbox demo', 'signalbox demo --keep', 'signalbox demo --data-dir ./demo --port 4400'],
    ),
  },
})
