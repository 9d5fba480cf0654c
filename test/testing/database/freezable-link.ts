import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../network/ports.ts'

/** Describes a link between two programs that can stop passing anything on, without telling either of them. */
export interface FreezableLink {
  readonly port: number
  /** Keeps every connection, accepts further ones, and passes no byte of them from now on. */
  freeze(): void
  close(): Promise<void>
}

/** Opens a link to a port of this machine. A frozen one is as silent as a network that drops every packet. */
export async function openFreezableLink(toPort: number): Promise<FreezableLink> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((caller) => {
    add(caller)
    if (isFrozen) return void caller.pause()
    const onward = connect(toPort, '127.0.0.1')
    add(onward)
    pass(caller, onward)
    pass(onward, caller)
  })
  const add = (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const pass = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => isFrozen || to.write(bytes))
    from.on('close', () => isFrozen || to.destroy())
  }
  const port = await listen(server)
  return {
    port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
