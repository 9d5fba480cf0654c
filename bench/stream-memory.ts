import { setTimeout as delay } from 'node:timers/promises'
import { residentMiB, startChild } from './child.ts'

/**
 * Prints what one idle stream costs the delivery, held on a bare socket (`delivery/fast/`) and by node:http.
 *
 *     node --conditions=@signalbox/source bench/stream-memory.ts [streams]
 */
const count = Number(process.argv[2] ?? 10_000)
const size = { keys: 1, snapshots: 1, valuesPerSnapshot: 50, valueBytes: 20 }

async function measure(
  plainStreams: boolean,
): Promise<{ perStreamKb: number; residentMb: number }> {
  const server = startChild('delivery-server.ts', {
    core: 0,
    args: [JSON.stringify({ ...size, plainStreams })],
  })
  const { port, paths, tokens } = await server.next<{
    port: number
    paths: string[]
    tokens: string[]
  }>()
  await delay(2_000)
  const before = residentMiB(server.pid) * 1048.576
  const path = `${paths[0]}/stream`
  const readers = startChild('stream-clients.ts', {
    core: 1,
    args: [JSON.stringify({ port, path, token: tokens[0], count, perSecond: 2_000 })],
  })
  const { open } = await readers.next<{ open: number }>()
  if (open !== count) throw new Error(`Only ${open} of ${count} streams are open`)
  await delay(5_000)
  const after = residentMiB(server.pid) * 1048.576
  await readers.stop()
  await server.stop()
  return { perStreamKb: (after - before) / count, residentMb: after / 1_000 }
}

for (const plainStreams of [false, true, false, true]) {
  const { perStreamKb, residentMb } = await measure(plainStreams)
  const held = plainStreams ? 'by node:http ' : 'on bare sockets'
  process.stdout.write(
    `${count} streams ${held}: ${perStreamKb.toFixed(1)} kB each, ${residentMb.toFixed(0)} MB in all\n`,
  )
}
