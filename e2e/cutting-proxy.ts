import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../test/testing/network/ports.ts'

/** Stands between a browser and the service, to lose connections. */
export interface CuttingProxy {
  readonly url: string
  /** Every request line and header that came, as text. */
  seen(): string
  /** Ends all connections, and whatever comes from now on. */
  cut(): void
  /** Lets connections through again. */
  mend(): void
  close(): Promise<void>
}

/**
 * A proxy of bytes. It shortens the time after which a stream is opened again, which the service spreads over half a minute,
 * to the same number of digits.
 */
export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let isCut = false
  let text = ''
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect({ host: hostname, port: Number(port) })
    for (const socket of [near, far]) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          near.destroy()
          far.destroy()
        })
    }
    near.on('data', (chunk: Buffer) => {
      // A request may follow on a connection after the body of another.
      text += `\n${chunk.toString('latin1')}`
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      const shortened = chunk
        .toString('latin1')
        .replace(/^retry: \d+$/m, (line) => `retry: ${'100'.padStart(line.length - 7, '0')}`)
      near.write(shortened, 'latin1')
    })
  })
  const ownPort = await listen(server)
  const destroyAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${ownPort}`,
    seen: () => text,
    cut() {
      isCut = true
      destroyAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}
