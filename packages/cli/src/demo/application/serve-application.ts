import { createServer, type ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPackage } from '../../server-bin/find-package.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { applicationScript } from './application-script.ts'
import { applicationStyle } from './application-style.ts'
import { renderApplication, type ApplicationOptions } from './render-application.ts'

/** Describes the running application. */
export interface Application {
  /** Example: `http://127.0.0.1:41234`. */
  readonly url: string
  close(): Promise<void>
}

interface ClientFiles {
  /** Names the directory of the published modules, or of the sources in a checkout. */
  readonly directory: string
  readonly extension: 'js' | 'ts'
}

/**
 * Serves an application of one page at a free port of this machine. It reads its configuration in the browser, with
 * the modules of `@signalbox/config` as they are published.
 *
 * @throws {CliError} `config_not_installed`
 */
export async function serveApplication(
  session: Pick<Session, 'trust'>,
  options: Omit<ApplicationOptions, 'clientModule'>,
): Promise<Application> {
  const client = await findClient(session)
  const clientModule = `/signalbox/client/browser.${client.extension}`
  const html = renderApplication({ ...options, clientModule })
  const policy = contentSecurityPolicy(options.configUrl)
  const server = createServer((request, response) => {
    // Not with `URL`, which throws for `//`.
    const [path = ''] = request.url?.split('?') ?? []
    void answer(response, path)
  })
  const answer = async (response: ServerResponse, path: string): Promise<void> => {
    if (path === '/') {
      response.setHeader('content-security-policy', policy)
      send(response, 'text/html', html)
    } else if (path === '/application.css') send(response, 'text/css', applicationStyle)
    else if (path === '/application.js') send(response, 'text/javascript', applicationScript)
    else {
      const code = await readModule(client, path)
      if (code === undefined) response.writeHead(404).end()
      else send(response, 'text/javascript', code)
    }
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens at a port has an address of this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Allows the files of this page, and calls of the delivery alone. */
function contentSecurityPolicy(configUrl: string): string {
  const { origin } = new URL(configUrl)
  return `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${origin}; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  response.end(body)
}

async function findClient(session: Pick<Session, 'trust'>): Promise<ClientFiles> {
  const own = fileURLToPath(import.meta.url)
  const name = '@signalbox/config'
  const directory = await findPackage(name, [dirname(own)], await session.trust())
  if (directory === undefined) {
    throw new CliError('failure', 'config_not_installed', `${name} is not installed.`, {
      advice: 'Install @signalbox/cli again, which includes @signalbox/config.',
    })
  }
  return own.endsWith('.ts')
    ? { directory: join(directory, 'src'), extension: 'ts' }
    : { directory: join(directory, 'dist'), extension: 'js' }
}

const modulePath = /^\/signalbox\/((?:client\/)?[a-z-]+\.(?:js|ts))$/

async function readModule(
  { directory, extension }: ClientFiles,
  path: string,
): Promise<string | undefined> {
  const [, name] = modulePath.exec(path) ?? []
  if (name === undefined || !name.endsWith(`.${extension}`)) return undefined
  const code = await readFile(join(directory, name), 'utf8').catch(() => undefined)
  return code === undefined || extension === 'js' ? code : module.stripTypeScriptTypes(code)
}
