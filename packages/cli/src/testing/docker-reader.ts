import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The docker command itself, with a daemon that makes no container and keeps what was asked for. */
export interface DockerReader {
  /** The variables that a container would have. */
  read(path: string): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

/** Starts the pretended daemon. */
export async function startDockerReader(): Promise<DockerReader> {
  let asked: unknown
  const server = createServer((request, response) => {
    void answer(request).then((body) => {
      response.writeHead(body === undefined ? 200 : 201, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(body ?? {}))
    })
  })
  async function answer(request: IncomingMessage): Promise<object | undefined> {
    if (!request.url?.includes('/containers/create')) return undefined
    asked = await json(request)
    return { Id: 'a'.repeat(64), Warnings: [] }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    async read(path) {
      asked = undefined
      const host = ['--host', `tcp://127.0.0.1:${port}`]
      await run('docker', [...host, 'create', '--env-file', path, 'image'])
      const { Env = [] } = asked as { Env?: string[] }
      return new Map(
        Env.map((entry) => {
          const equals = entry.indexOf('=')
          return [entry.slice(0, equals), entry.slice(equals + 1)] as const
        }),
      )
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
