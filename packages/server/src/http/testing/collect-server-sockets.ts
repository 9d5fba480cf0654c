import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns a list to which each connection is added that a server of this process accepts while the test runs. */
export function collectServerSockets(): readonly Socket[] {
  const accepted: Socket[] = []
  const collect = (message: unknown) => {
    const socket: unknown = Reflect.get(Object(message), 'socket')
    if (socket instanceof Socket) accepted.push(socket)
  }
  subscribe('net.server.socket', collect)
  onTestFinished(() => void unsubscribe('net.server.socket', collect))
  return accepted
}
