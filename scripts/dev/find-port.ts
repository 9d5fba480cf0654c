import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns the port if it is free on this machine, and any free one otherwise. */
export async function findPort(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return findPort(0)
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : port
}
