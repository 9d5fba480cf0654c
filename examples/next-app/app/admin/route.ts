import { timingSafeEqual } from 'node:crypto'
import { getServerConfig } from '@signalbox/next/server'
import { configSource } from '../config-source'

/** Only for whoever has the token. It is a secret of Signalbox, read with the server key in SIGNALBOX_TOKEN. */
export async function GET(request: Request): Promise<Response> {
  const { secret } = await getServerConfig({
    ...configSource,
    apiKey: process.env['SIGNALBOX_TOKEN'],
  })
  const wanted = Buffer.from(`Bearer ${secret.get('adminToken')}`)
  const given = Buffer.from(request.headers.get('authorization') ?? '')
  const open = given.length === wanted.length && timingSafeEqual(given, wanted)
  return Response.json({ admin: open }, { status: open ? 200 : 401 })
}
