import type { Server } from 'node:http'
import { Server as SocketServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

/** Twice this is enough for a client far away to send what it was about to, and nobody notices it in a stop. */
const graceMs = 250
const lookEveryMs = 10
/** Clients that come without a pause are met with some patience, and not for ever. */
const patienceMs = 1_000
/** In a turn that does nothing else, hardly anybody can come between the look and the end. */
const quickTurnMs = 0.3

/** Closes a server and cuts what is left after `timeoutMs`. */
export type CloseServer = (timeoutMs: number) => Promise<void>

/**
 * Makes the function that closes a server without losing a request. Made before the server listens. Whoever calls it
 * answers from then on with `Connection: close`, so that clients learn from an answer that their connection ends
 * (RFC 9112 §9.6); closed at once, it would end under a request that is on its way.
 */
export function createCloseServer(server: Server): CloseServer {
  const sockets = new Set<Socket>()
  function forget(this: Socket): void {
    sockets.delete(this)
  }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', forget)
  })
  return (timeoutMs) => closeServer(server, sockets, timeoutMs)
}

async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  timeoutMs: number,
): Promise<void> {
  // Every connection, also one that node:http does not know of.
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, timeoutMs)
  await connectionsEnd(server)
  await noneWaits(server)
  const closed = stopListening(server)
  // A connection that was taken a moment ago and has not sent its request yet counts as idle.
  await connectionsEnd(server)
  const sweep = setInterval(() => {
    server.closeIdleConnections()
    // Node counts those as busy on which nothing was said yet.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }, lookEveryMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

/** Resolves when no connection is left, or when clients had their time to leave. */
async function connectionsEnd(server: Server): Promise<void> {
  const until = performance.now() + graceMs
  while (performance.now() < until && (await countConnections(server)) > 0) await delay(lookEveryMs)
}

/**
 * Resolves in a turn of the event loop that found nobody waiting to be taken, or when patience ends. Each turn takes one
 * connection; those still waiting when the server stops to listen are reset by the system.
 */
async function noneWaits(server: Server): Promise<void> {
  let taken = 0
  const count = () => void taken++
  server.on('connection', count)
  const until = performance.now() + patienceMs
  for (let before = -1; before !== taken && performance.now() < until;) {
    before = taken
    const turnedAt = performance.now()
    await nextTurn()
    if (performance.now() - turnedAt > quickTurnMs) before = -1
  }
  server.off('connection', count)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

/** Takes no more connections. Resolves when the last one has ended. Not `server.close`, which ends idle ones at once. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    SocketServer.prototype.close.call(server, () => resolve())
  })
}
