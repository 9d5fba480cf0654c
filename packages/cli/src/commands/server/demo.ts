import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pages } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import { globalFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { serveApplication, type Application } from '../../demo/application/serve-application.ts'
import {
  chooseProviders,
  readNames,
  readPort,
  readSandbox,
  settingsFor,
} from '../../demo/sandbox-control.ts'
import { setUp, type Furnished, type SetUp } from '../../demo/set-up.ts'
import { startProgram, type RunningProgram } from '../../demo/start-program.ts'
import { findProgram } from '../../server-bin/find-program.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'

const demoFlags = {
  yes: { ...globalFlags.yes, hidden: true },
  dryRun: { ...globalFlags.dryRun, hidden: true },
  keep: switchFlag('Keep the data when the demo stops'),
  dataDir: textFlag('dir', 'Keep the data in this directory (default a temporary one)'),
  with: textFlag(
    'providers',
    'Connect these in place of GitHub, Jira and Slack, such as gitlab,linear',
  ),
  port: textFlag('number', 'Port of the service (default any free one)'),
} as const

type DemoFlags = FlagValues<typeof demoFlags>

async function demo(session: Session, flags: DemoFlags): Promise<void> {
  if (flags.dryRun) throw new CliError('usage', 'no_dry_run', 'demo has no dry run.')
  const port = readPort(flags.port)
  const directory = await openDirectory(session, flags)
  const running: RunningProgram[] = []
  let application: Application | undefined
  const stopped = stopSignal()
  try {
    const names = readNames(flags.with)
    const options = { directory: directory.path, port, running, names, signal: stopped }
    const started = await session.progress('Starting', () => startAll(session, options))
    stopped.throwIfAborted()
    const onStep = (text: string) => session.output.note(text)
    const furnished = await setUp({ ...started, onStep })
    stopped.throwIfAborted()
    const at = pagesOf(started.service, furnished.account.slug)
    application = await serveApplication(session, {
      configUrl: started.configUrl,
      browserKey: furnished.account.browserKey,
      ...furnished.configuration,
      flagsUrl: `${at.flags}?schema=${furnished.configuration.schemaId}`,
      valuesUrl: at.config,
    })
    print(session, { ...started, ...furnished, pages: at, application: application.url, directory })
    const ended = await Promise.race([aborted(stopped), ...running.map((program) => program.ended)])
    if (ended !== undefined) throw ended
  } catch (error) {
    // A step that was running when the demo was stopped has not finished.
    if (!stopped.aborted) throw error
  } finally {
    if (stopped.aborted) session.output.note('Stopping…')
    await application?.close()
    // Stops the service first, because it still talks to the providers.
    for (const program of running.toReversed()) await program.stop()
    if (!directory.isKept) await rm(directory.path, { recursive: true, force: true })
  }
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
  /** Lists the providers to take part in place of the usual ones. */
  readonly names: readonly string[]
  readonly signal: AbortSignal
}

/** Holds the addresses of both, and the address of the set-up. */
type Started = Pick<SetUp, 'service' | 'setupUrl' | 'configUrl' | 'sandbox' | 'providers'>

async function startAll(session: Session, options: StartOptions): Promise<Started> {
  const { directory, port, running, names, signal } = options
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
  const providers = chooseProviders(sandbox, names)
  const service = await startProgram({
    program: server,
    called: 'server',
    args: ['start'],
    env: {
      ...env,
      ...settingsFor(providers),
      SIGNALBOX_DATA_DIR: join(directory, 'data'),
      SIGNALBOX_API_PORT: port,
      SIGNALBOX_DELIVERY_PORT: '0',
      SIGNALBOX_LOG_LEVEL: 'warn',
    },
    cwd,
    signal,
    advice: { eaddrinuse: 'Choose another port with --port, or leave it out to use any free one.' },
  })
  running.push(service)
  const { apiUrl, configUrl, setupUrl } = service.started
  if (typeof setupUrl !== 'string') throw setUpAlready(directory)
  return { service: String(apiUrl), configUrl: String(configUrl), setupUrl, sandbox, providers }
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
  return new CliError(
    'usage',
    'set_up_already',
    `${directory} holds the data of an earlier demo.`,
    {
      advice: [
        'The sandbox loses its data when it stops, so the connections of that demo no longer work. Name an empty directory.',
        `To look at its data: SIGNALBOX_DATA_DIR=${join(directory, 'data')} signalbox start`,
      ].join('\n'),
    },
  )
}

type Pages = ReturnType<typeof pagesOf>

/** Returns the addresses of the dashboard that the demo shows. */
function pagesOf(service: string, slug: string) {
  const at = (page: 'deployments' | 'flags' | 'config') => `${service}/${slug}${pages[page].path}`
  return { deployments: at('deployments'), flags: at('flags'), config: at('config') }
}

interface DemoSummary extends Started, Furnished {
  readonly pages: Pages
  readonly application: string
  readonly directory: DataDirectory
}

function print({ output }: Session, summary: DemoSummary): void {
  const { service, sandbox, providers, account, application, pages: at, directory } = summary
  const { email, password, token } = account
  const keptDirectory = directory.isKept ? { dataDir: directory.path } : {}
  const push = sandbox.origin
  const channel = providers.find(({ kind }) => kind === 'chat')?.channel?.url ?? ''
  output.document({ service, push, channel, application, ...at, ...account, ...keptDirectory })
  const { bold, dim } = output.styles
  const rows = [
    ['Signalbox', service, `sign in as ${email} with ${password}`],
    ['Flags', at.flags, 'flip newCheckout in staging, and watch the application'],
    ['Proof', at.flags, 'flip it in production: tests fail, the flag returns, one message'],
    ['Application', application, 'changes within a second, without a reload'],
    ['Push', push, 'press the button, and choose what goes wrong'],
    ['Chat', channel, 'gets one message for each deployment'],
    ['Deployments', at.deployments, 'shows the same with its commits, issues and tests'],
    [
      'Terminal',
      `SIGNALBOX_URL=${service} SIGNALBOX_TOKEN=${token}`,
      'put before a command, such as signalbox environments',
    ],
    ...(directory.isKept ? [['Data', directory.path, 'stays when the demo stops']] : []),
  ]
  output.result('')
  for (const [name = '', where = '', what = ''] of rows) {
    output.result(`  ${bold(name.padEnd(13))}${where}\n  ${' '.repeat(13)}${dim(what)}`)
  }
  output.result('')
  output.note(
    directory.isKept
      ? 'Ctrl+C stops the demo and keeps its data.'
      : 'Ctrl+C stops the demo and deletes its data.',
  )
}

/** Defines `signalbox demo`. */
export const demoCommand = defineCommand({
  about:
    'Starts the server, a sandbox that simulates GitHub, Jira and Slack, or the providers that --with names, and an application that reads configuration. Connects them, adds a schema with flags and values, and shows what to try. Nothing leaves this machine. Ctrl+C stops all of it.',
  examples: [
    'signalbox demo',
    'signalbox demo --with gitlab,linear',
    'signalbox demo --keep',
    'signalbox demo --data-dir ./demo --port 4400',
  ],
  flags: demoFlags,
  run: demo,
})
