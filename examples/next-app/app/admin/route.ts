import { timingSafeEqual } from 'node:crypto'
import { getServerConfig } from '@signalbox/next/server'
import { configSource } from '../config-source'

/** Admits only requests with the admin token, a secret of Signalbox that the server key in SIGNALBOX_TOKEN reads. */
export async function GET(request: Request): Promise<Response> {
  const { secret } = await getServerConfig({
    ...configSource,
    apiKey: process.env['SIGNALBOX_TOKEN'],
  })
  const expected = Buffer.from(`Bearer ${secret.get('adminToken')}`)
  const received = Buffer.from(request.headers.get('authorization') ?? '')
  const isAdmin = received.length === expected.length && timingSafeEqual(received, expected)
  return Response.json({ admin: isAdmin }, { status: isAdmin ? 200 : 401 })
}
