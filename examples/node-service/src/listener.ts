import { timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { ConfigClient } from '@signalbox/config/client'

/** Answers from the configuration as it is at the moment of each request. */
export function createListener(config: ConfigClient): RequestListener {
  return async (request, response) => {
    const { url = '/', headers } = request
    const { status, body } = await answer(config, url, headers.authorization).catch(notConfigured)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  }
}

/** A key without a value: adminToken, as long as nobody has set it. */
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

/** A secret of the server, compared in constant time. */
async function admin(config: ConfigClient, authorization = ''): Promise<Answer> {
  const wanted = Buffer.from(`Bearer ${await config.get('adminToken')}`)
  const given = Buffer.from(authorization)
  const open = given.length === wanted.length && timingSafeEqual(given, wanted)
  return open ? { status: 200, body: { admin: true } } : { status: 401, body: { admin: false } }
}
