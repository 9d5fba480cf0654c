import { connect, type Socket } from 'node:net'

/** A client of a stream, at an address of its own. */
export interface CrowdStream {
  readonly socket: Socket
  /** Resolves with 0 once the stream is open, else with the seconds after which it may be tried again. */
  readonly begun: Promise<number>
  /** Returns whether the stream is open now. */
  isOpen(): boolean
}

/** Opens a stream on a bare socket from `localAddress`. */
export function openCrowdStream(port: number, path: string, localAddress: string): CrowdStream {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  let isOpen = false
  let text = ''
  const begun = new Promise<number>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      isOpen = false
      resolve(Number(/retry-after: (\d+)/i.exec(text)?.[1] ?? 1))
    })
    socket.on('data', (chunk: Buffer) => {
      if (isOpen) return
      text += chunk.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      isOpen = text.startsWith('HTTP/1.1 200 ')
      if (isOpen) resolve(0)
      else socket.end()
    })
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return { socket, begun, isOpen: () => isOpen }
}

/** Returns the loopback address of a number in a block of 65,024. */
export function loopbackAddress(block: number, at: number): string {
  return `127.${block}.${Math.floor(at / 254) % 256}.${1 + (at % 254)}`
}
