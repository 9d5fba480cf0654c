import { connect, createServer, type Socket } from 'node:net'
import { listen } from './ports.ts'

/** Describes a proxy that can fall silent as a network without a link does: nobody is told that nothing arrives any more. */
export interface CutLink {
  readonly port: number
  /** Passes nothing in either direction, or goes on. What was sent meanwhile arrives then. */
  cut(isCut: boolean): void
  close(): void
}

type Alter = (chunk: Buffer) => Buffer | string
const keepSame: Alter = (chunk) => chunk

/** Starts a proxy in front of a port of this machine. `alter` may change what that says. */
export async function openCutLink(port: number, alter = keepSame): Promise<CutLink> {
  let isCut = false
  const open = new Set<Socket>()
  const pass = (from: Socket, to: Socket, change: Alter) => {
    from.on('data', (chunk: Buffer) => void to.write(change(chunk)))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      open.delete(from)
      to.destroy()
    })
    open.add(from)
    if (isCut) from.pause()
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    pass(near, far, keepSame)
    pass(far, near, alter)
  })
  const ownPort = await listen(server)
  return {
    port: ownPort,
    cut(toCut) {
      isCut = toCut
      for (const socket of open) {
        if (isCut) socket.pause()
        else socket.resume()
      }
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
