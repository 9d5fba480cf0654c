import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect } from '@nats-io/transport-node'
import { readSettings } from '../packages/server/src/settings.ts'
import { groupOfAll, natsLayout } from '../packages/server/src/replica/nats-subjects.ts'
import { parseNow } from '../packages/server/src/replica/now-message.ts'
import { isSigned } from '../packages/server/src/replica/signed.ts'
import { startService } from '../packages/server/src/start/start-service.ts'
import { silentLog } from '../packages/server/src/telemetry/log.ts'

/**
 * Whole delivery nodes without a database, several in one process, each with one reader of its stream; watchers, which hear and
 * verify what NATS says of a write, and stand for further nodes; and for each of both a bare connection to NATS that listens.
 * Says when all of them serve; then a line of moments is answered with how long after them the versions and the bare messages came.
 */
const { nodes, watchers, natsUrl, publisherKeys, path, token, directory, bareSubject } = JSON.parse(
  process.argv[2] ?? '{}',
) as {
  nodes: number
  watchers: number
  natsUrl: string
  publisherKeys: string
  path: string
  token: string
  directory: string
  bareSubject: string
}

const now = () => performance.timeOrigin + performance.now()
/** Maps a version, or the number of a bare message, to when each listener heard of it. */
const arrivals = { events: new Map<number, number[]>(), bare: new Map<number, number[]>() }

function note(of: Map<number, number[]>, number: number, at: number): void {
  const times = of.get(number)
  if (times === undefined) of.set(number, [at])
  else times.push(at)
}

async function startNode(index: number): Promise<number> {
  const settings = readSettings({
    SIGNALBOX_ROLES: 'delivery',
    SIGNALBOX_DELIVERY_PORT: '0',
    SIGNALBOX_DATA_DIR: join(directory, String(index)),
    SIGNALBOX_NATS_URL: natsUrl,
    SIGNALBOX_PUBLISHER_KEYS: publisherKeys,
    SIGNALBOX_RATE_LIMITS: 'off',
  })
  const { configUrl } = await startService(settings, silentLog)
  if (configUrl === undefined) throw new Error('The node has no address')
  const { port } = new URL(configUrl)
  for (;;) {
    const answer = await fetch(`${configUrl}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await answer.arrayBuffer()
    if (answer.ok) return Number(port)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function openStream(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1')
    let isOpen = false
    socket.write(
      `GET ${path}/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    socket.on('data', (chunk: Buffer) => {
      const at = now()
      const text = chunk.toString('latin1')
      if (!isOpen && !text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 200)))
      isOpen = true
      resolve()
      for (const [, version] of text.matchAll(/^id: (\d+)$/gm))
        note(arrivals.events, Number(version), at)
    })
    socket.on('error', reject)
  })
}

async function listenBare(): Promise<void> {
  const connection = await connect({ servers: natsUrl.replace('nats://', '') })
  connection.subscribe(bareSubject, {
    callback: (_, message) => note(arrivals.bare, Number(message.subject.split('.').at(-1)), now()),
  })
  await connection.flush()
}

/** Finds the version in a record, which holds it in JSON that is text in JSON. */
const versionPattern = /\\*"version\\*":(\d+)/g

async function watch(): Promise<void> {
  const connection = await connect({ servers: natsUrl.replace('nats://', '') })
  let newest = 0
  connection.subscribe(natsLayout('signalbox').nowOf(groupOfAll), {
    callback(_, message) {
      const said = parseNow(message.string())
      if (said === undefined || !isSigned(publisherKeys.split(','), said.mark)) return
      const at = now()
      const records = [...said.objects.values()].join('\n')
      const versions = [...records.matchAll(versionPattern)].map(([, version]) => Number(version))
      for (let version = newest + 1; version <= Math.max(0, ...versions); version += 1)
        note(arrivals.events, (newest = version), at)
    },
  })
  await connection.flush()
}

for (let index = 0; index < nodes; index += 1) {
  await openStream(await startNode(index))
  await listenBare()
}
for (let index = 0; index < watchers; index += 1) {
  await watch()
  await listenBare()
}
process.stdout.write(`${JSON.stringify({ open: nodes + watchers })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line) as Record<keyof typeof arrivals, Record<string, number>>
  const delaysOf = (of: keyof typeof arrivals) =>
    Object.entries(asked[of]).map(([number, at]) =>
      (arrivals[of].get(Number(number)) ?? []).map((time) => Math.max(0, time - at)),
    )
  process.stdout.write(
    `${JSON.stringify({ events: delaysOf('events'), bare: delaysOf('bare') })}\n`,
  )
})
