import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { createServer, type ProxyOptions } from 'vite'
import { CliError } from '../../packages/cli/src/terminal/cli-error.ts'

const packages = join(import.meta.dirname, '../../packages')
const dashboard = join(packages, 'dashboard')

/** Describes the dashboard that runs from its sources. */
interface ServedDashboard {
  readonly url: string
  /** Resolves after the next change of a source of the service. */
  serviceChanged(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * Serves the dashboard from its sources at `port`, and the service behind it: every address that the service answers is
 * forwarded, and a person who opens any other one gets the dashboard.
 *
 * @throws {CliError} `port_taken`
 */
export async function serveDashboard({
  port,
  api,
}: {
  readonly port: number
  /** Holds the address of the service. */
  readonly api: string
}): Promise<ServedDashboard> {
  const vite = await createServer({
    configFile: join(dashboard, 'vite.config.ts'),
    clearScreen: false,
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: { '^/(?!@|src/|node_modules/)': { target: api, bypass, configure } },
    },
  })
  const sources = ['server', 'contract'].map((name) => join(packages, name, 'src'))
  vite.watcher.add(sources)
  await vite.listen().catch(async (error: unknown) => {
    await vite.close()
    if (!(error instanceof Error && /already in use/.test(error.message))) throw error
    const advice = `Choose another one: npm run dev -- --port ${port + 10}`
    throw new CliError('failure', 'port_taken', `Port ${port} is taken.`, { advice })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    serviceChanged: (signal) =>
      new Promise((resolve, reject) => {
        const end = () => reject(new Error('Stopped'))
        signal.addEventListener('abort', end, { once: true })
        vite.watcher.on('all', function changed(_event, path) {
          if (!isOfService(path)) return
          vite.watcher.off('all', changed)
          signal.removeEventListener('abort', end)
          // An editor may write several files.
          void sleep(200).then(resolve)
        })
      }),
    close: () => vite.close(),
  }
}

const isOfService = (path: string) =>
  /packages\/(?:server|contract)\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path)

/** Answers with files of the dashboard what the service has no endpoint for. */
const bypass: NonNullable<ProxyOptions['bypass']> = ({ url = '/', headers, method }) => {
  const [path = '/'] = url.split('?')
  if (path !== '/' && existsSync(join(dashboard, 'public', path))) return url
  const isOpened = method === 'GET' && headers.accept?.includes('text/html') === true
  return isOpened && !isAnswered(path) ? '/index.html' : undefined
}

const all: readonly EndpointShape[] = Object.values(endpoints)
const patterns = all
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))

const isAnswered = (path: string) =>
  path.startsWith('/docs/') || patterns.some((pattern) => pattern.test(path))

/** A request during a start of the service is refused without a word in the terminal. */
const configure: NonNullable<ProxyOptions['configure']> = (proxy) => {
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent)
      response.writeHead(502, { 'content-type': 'text/plain' })
    response.end('The service is starting.')
  })
}
