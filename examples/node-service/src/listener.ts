import { timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { ConfigClient } from '@signalbox/config/client'

/** Reads the current configuration at each request. */
export function createListener(config: ConfigClient): RequestListener {
  return async (request, response) => {
    const { url = '/', headers } = request
    const { status, body } = await answer(config, url, headers.authorization).catch(notConfigured)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  }
}

/** Answers 503 for a key without a value: adminToken, until somebody sets it. */
function notConfigured(error: unknown): Answer {
  return { status: 503, body: { error: error instanceof Error ? error.message : String(error) } }
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function answer(
  config: ConfigClient,
  path: string,
  authorization: string | undefined,
): Promise<Answer> {
  if (path === '/admin') return admin(config, authorization)
  const greeting = await config.get('greeting')
  const body = {
    greeting: (await config.flag('shout')) ? greeting.toUpperCase() : greeting,
    pageSize: await config.get('pageSize'),
    process: process.pid,
    version: config.status.version,
    stale: config.status.stale,
  }
  return { status: 200, body }
}

/** Compares a secret of the server in constant time. */
async function admin(config: ConfigClient, authorization = ''): Promise<Answer> {
  const expected = Buffer.from(`Bearer ${await config.get('adminToken')}`)
  const received = Buffer.from(authorization)
  const isAdmin = received.length === expected.length && timingSafeEqual(received, expected)
  return isAdmin ? { status: 200, body: { admin: true } } : { status: 401, body: { admin: false } }
}
