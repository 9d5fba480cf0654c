import type { Server } from 'node:http'
import { Server as SocketServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

/**
 * Gives clients time to leave. Twice this is enough for a distant client to send its next request, and too short to
 * matter in a stop.
 */
const graceMs = 250
const pollEveryMs = 10
/** Limits how long the stop waits while new clients keep coming. */
const patienceMs = 1_000
/**
 * Limits a turn of the event loop that does nothing else, so that hardly any client arrives between the check and the
 * close.
 */
const quickAnswerMs = 0.3

/** Closes a server and cuts what is left after `timeoutMs`. */
export type CloseServer = (timeoutMs: number) => Promise<void>

/**
 * Creates the function that closes a server without losing a request. Call this before the server listens. From the
 * close on, the caller answers with `Connection: close`, so that clients learn from an answer that their connection
 * ends (RFC 9112 §9.6). A connection that is closed immediately could end under a request that is on its way.
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
  // Includes connections that node:http does not know of.
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, timeoutMs)
  await connectionsEnd(server)
  await noneWaits(server)
  const closed = stopListening(server)
  // A connection that was just accepted and has not sent its request yet counts as idle.
  await connectionsEnd(server)
  const sweep = setInterval(() => {
    server.closeIdleConnections()
    // Node counts connections as busy on which nothing was sent yet.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }, pollEveryMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

/** Resolves when no connection is left, or after the clients' time to leave. */
async function connectionsEnd(server: Server): Promise<void> {
  const until = performance.now() + graceMs
  while (performance.now() < until && (await countConnections(server)) > 0) await delay(pollEveryMs)
}

/**
 * Resolves in a turn of the event loop in which no connection waited to be accepted, or when patience ends. Each turn
 * accepts one connection; the system resets those still waiting when the server stops to listen.
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
    if (performance.now() - turnedAt > quickAnswerMs) before = -1
  }
  server.off('connection', count)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

/**
 * Stops accepting connections. Resolves when the last one has ended. Not `server.close`, which ends idle ones immediately.
 */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    SocketServer.prototype.close.call(server, () => resolve())
  })
}
