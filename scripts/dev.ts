/**
 * Starts the service, the dashboard and the sandbox from their sources, at one address and with the data of the demo, which
 * stay between starts. A browser gets a change of the dashboard without a reload; a change of the service starts it again.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  chooseProviders,
  readNames,
  readPort,
  readSandbox,
  settingsFor,
} from '../packages/cli/src/demo/sandbox-control.ts'
import { startProgram, type RunningProgram } from '../packages/cli/src/demo/start-program.ts'
import { CliError } from '../packages/cli/src/terminal/cli-error.ts'
import { buildPages } from './build-pages.ts'
import { findPort } from './dev/find-port.ts'
import { furnish } from './dev/furnish.ts'
import { serveDashboard } from './dev/serve-dashboard.ts'
import { stopWithNpm } from './stop-with-npm.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4400' },
    'data-dir': { type: 'string', default: '.signalbox/dev' },
    with: { type: 'string', default: '' },
  },
})
const directory = resolve(root, values['data-dir'])
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => stopping.abort())
stopWithNpm()

try {
  await run()
} catch (error) {
  if (!stopping.signal.aborted) {
    const said = error instanceof CliError ? [error.message, ...error.details, error.advice] : []
    console.error(said.length > 0 ? said.filter(Boolean).join('\n') : error)
    process.exitCode = 1
  }
}

async function run(): Promise<void> {
  const port = Number(readPort(values.port))
  const [api, delivery, atSandbox] = await Promise.all([0, 4401, 4500].map(findPort))
  const dashboard = await serveDashboard({
    port,
    api: `http://127.0.0.1:${api}`,
  })
  let sandbox: RunningProgram | undefined
  let service: RunningProgram | undefined
  try {
    mkdirSync(directory, { recursive: true })
    const starting = start('sandbox', ['--port', String(atSandbox)], {})
    if (buildPages() !== 0) throw new Error('The documentation cannot be built')
    sandbox = await starting
    const state = await readSandbox(String(sandbox.started['origin']))
    const providers = chooseProviders(state, readNames(values.with))
    const settings = {
      ...settingsFor(providers),
      SIGNALBOX_PUBLIC_URL: dashboard.url,
      SIGNALBOX_DATA_DIR: join(directory, 'data'),
      SIGNALBOX_API_PORT: String(api),
      SIGNALBOX_DELIVERY_PORT: String(delivery),
      SIGNALBOX_LOG_LEVEL: 'warn',
      SIGNALBOX_LOG_FORMAT: 'pretty',
    }
    const startService = () => start('server', ['start'], settings)
    service = await startService()
    const { email, password } = await furnish({
      file: join(directory, 'account.json'),
      service: dashboard.url,
      setupUrl: service.started['setupUrl'],
      configUrl: String(service.started['configUrl']),
      sandbox: state,
      providers,
      onStep: (text) => console.log(text),
    })
    console.log(`
  Signalbox  ${dashboard.url}  sign in as ${email} with ${password}
  Push       ${state.origin}  press the button, and choose what goes wrong
  Data       ${directory}  remove it to begin with a new set-up

Ready after ${Math.round(performance.now() / 100) / 10} s. Ctrl-C stops all of it.`)
    for (;;) {
      await dashboard.serviceChanged(stopping.signal)
      console.log('The service has changed. Starting it again …')
      await service?.stop()
      service = await startService().catch((error: unknown) => {
        stopping.signal.throwIfAborted()
        console.error(error instanceof CliError ? error.details.join('\n') : error)
        return undefined
      })
      if (service !== undefined) console.log('The service is there again.')
    }
  } finally {
    // The service first, because it still talks to the providers.
    await service?.stop()
    await sandbox?.stop()
    await dashboard.close()
  }
}

function start(
  called: 'server' | 'sandbox',
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
): Promise<RunningProgram> {
  const main = join(root, 'packages', called, 'src/main.ts')
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SIGNALBOX_') && name !== 'DATABASE_URL',
  )
  return startProgram({
    program: { node: process.execPath, args: ['--conditions=@signalbox/source', main] },
    called,
    args,
    env: { ...Object.fromEntries(own), ...settings },
    cwd: root,
    signal: stopping.signal,
    show: (line) => console.log(line),
  })
}
