import { Readable } from 'node:stream'
import type { App } from '../router.ts'

/** An application that tests ask without a socket. */
export interface TestApp {
  /** Sends what `fetch` would send; a path is resolved as by a browser. */
  request(path: string, init?: RequestInit): Promise<Response>
}

/** Returns `app` to be asked without a socket. Endpoints that stream need one: use a server for them. */
export function toTestApp(app: App): TestApp {
  return {
    async request(path, init) {
      const request = new Request(new URL(path, 'http://localhost'), init)
      const { pathname, search } = new URL(request.url)
      const answer = await app.answer({
        method: request.method,
        target: pathname + search,
        header: (name) => request.headers.get(name) ?? (name === 'host' ? 'localhost' : undefined),
        body: Readable.from([Buffer.from(await request.arrayBuffer())], { objectMode: false }),
        remoteAddress: undefined,
        connection: undefined,
      })
      if (answer === undefined) throw new Error('A stream needs a server')
      const { status, headers, body } = answer
      const isEmpty = body.length === 0 || request.method === 'HEAD'
      const content = isEmpty ? null : typeof body === 'string' ? body : new Uint8Array(body)
      return new Response(content, { status, headers: { ...headers } })
    },
  }
}
