import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'

/** Passes requests on with a token, for programs that have no place for one. Their own address becomes the server's. */
export async function openProxy(
  target: string,
  token: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { hostname, port, pathname, host, origin } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    if (incoming.headers.host === own) headers.host = host
    if (incoming.headers.origin === `http://${own}`) headers.origin = origin
    const { method } = incoming
    const passed = request({ hostname, port, path: pathname, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}${pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Runs a program to its end. Returns its exit code and what it printed. `onOutput` gets what it prints meanwhile. */
export async function runProgram(
  command: string,
  args: readonly string[],
  onOutput: (text: string) => void = () => undefined,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', (chunk: Buffer) => onOutput(chunk.toString()))
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, output: out + err }
}
