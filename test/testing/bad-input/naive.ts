import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { listen } from '../network/ports.ts'

/** A service as it is written in an afternoon. */
export interface NaiveService {
  readonly url: string
  readonly readState: () => Promise<string>
  close(): Promise<void>
}

/**
 * Starts a service without the defences: it parses whatever arrives, stores before it looks, tidies texts up, and
 * tells its callers what the exception said.
 */
export async function openNaiveService(): Promise<NaiveService> {
  const values: Record<string, unknown> = {}
  let writes = 0
  const answer = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const text = await readText(request)
    if (request.method === 'GET') return [200, show(values, writes)]
    const sent = JSON.parse(text)
    writes++
    if (sent.values === undefined) return [422, { error: 'There are no values' }]
    for (const key of Object.keys(sent.values)) values[key] = tidy(sent.values[key])
    return [200, show(values, writes)]
  }
  const server = createServer((request, response) => {
    const respond = async () => {
      const [status, body] = await answer(request).catch(
        (error: unknown) => [500, { error: String(error) }] as const,
      )
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    respond().catch(() => response.destroy())
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    readState: () => Promise.resolve(String(writes)),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const tidy = (value: unknown) => (typeof value === 'string' ? value.trim().normalize() : value)

function show(values: Readonly<Record<string, unknown>>, version: number) {
  const entries = Object.entries(values)
  return {
    id: 'made',
    version,
    values: Object.fromEntries(entries.map(([key, value]) => [key, { value, source: 'set' }])),
    public: values,
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
