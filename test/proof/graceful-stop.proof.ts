import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { ServiceProcess } from '../../e2e/start-service.ts'
import {
  openStream,
  type OpenedStream,
} from '../../packages/server/src/delivery/testing/http-client.ts'
import { bearer, createClient } from '../testing/http.ts'
import { createMaker } from '../testing/organization.ts'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'
import { startLoad, type Load, type LoadTarget, type Outcome } from '../testing/stop-load.ts'

/** Two are enough: three kills by SIGKILL, which waits for nothing, lost 11 requests and cut all 12 streams, so each of them shows. */
const stops = 2 * inject('scale')
const stopsOfControl = 1
/** Allows the promised ten seconds, and what a busy machine adds. Clients that hang do it for ever. */
const exitMsMax = 30_000

let proof: ProofService
let made: Omit<LoadTarget, 'service'>

beforeAll(async () => {
  proof = await openProofService()
  const client = createClient(proof.current().apiUrl)
  const maker = createMaker(client, proof.bootstrapToken)
  const { id: orgId } = await maker.organization('Stop')
  const { id: environmentId } = await maker.environment(orgId, { name: 'production' })
  const open = { type: 'string', tier: 'public', default: 'nothing yet' }
  const { id: schemaId } = await maker.schema(orgId, { name: 'app', schema: { open } })
  const { secret: serverKey } = await maker.key(orgId, { name: 'server', kind: 'm2m' })
  const { secret: browserKey } = await maker.key(orgId, { name: 'browser', kind: 'b2m' })
  made = { orgId, environmentId, schemaId, serverKey, browserKey }
  client.close()
})

afterAll(() => proof?.close())

const portOf = (url: string) => Number(new URL(url).port)

function openStreams({ configUrl, apiUrl }: ServiceProcess): Promise<OpenedStream[]> {
  const { schemaId, environmentId, browserKey, serverKey } = made
  const path = `/snapshots/${schemaId}/${environmentId}/stream`
  const keys = [browserKey, serverKey]
  return Promise.all(
    [configUrl, apiUrl].flatMap((url) =>
      keys.map((key) => openStream(portOf(url), path, bearer(key))),
    ),
  )
}

interface Stop {
  readonly load: Load
  readonly streams: readonly OpenedStream[]
  readonly exitMs: number
}

/** Puts the service under load, ends it with `signal`, and waits for the end of everything. */
async function stopUnderLoad(signal: 'SIGTERM' | 'SIGKILL'): Promise<Stop> {
  const service = proof.current()
  const streams = await openStreams(service)
  // Browsers connect before they know what to ask for.
  const silent = [service.apiUrl, service.configUrl].map((url) => connectTo(url))
  const load = startLoad({ service, ...made })
  const enough = 40 + Math.random() * 80
  await until(() => load.counts.answered > enough, 'some load')
  const askedAt = performance.now()
  if (signal === 'SIGTERM') await service.stop()
  else await service.kill()
  const exitMs = performance.now() - askedAt
  await Promise.all([load.ended, ...streams.map(({ ended }) => ended)])
  for (const socket of silent) socket.destroy()
  return { load, streams, exitMs }
}

/** The process's own count of the requests to the values that it has answered. */
function countLogged(service: ServiceProcess): number {
  const lines = service.output().matchAll(/"route":"\/organizations\/\{org_id\}\/config-values"/g)
  return [...lines].length
}

async function countStored(markers: readonly string[]): Promise<number> {
  const [row] = await proof.asOwner<{ count: number }>(
    `select count(*)::int as count from config_versions where open_values ->> 'open' = any ($1)`,
    [markers],
  )
  return row?.count ?? -1
}

const median = (list: readonly number[]) =>
  Math.round(list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0)

describe('SIGTERM (R17)', () => {
  it('answers every request that was taken, tells streams when to come back, and exits', async () => {
    const sums: Record<Outcome, number> = {
      answered: 0,
      sentAway: 0,
      refused: 0,
      untaken: 0,
      failed: 0,
    }
    const failures: string[] = []
    const exitsMs: number[] = []
    for (let i = 0; i < stops; i++) {
      const service = proof.current()
      const { load, streams, exitMs } = await stopUnderLoad('SIGTERM')
      expect(service.process.exitCode).toBe(0)
      for (const stream of streams) expect(stream.text()).toMatch(/\nretry: \d{4,5}\n\n$/)
      for (const outcome of Object.keys(sums) as Outcome[]) sums[outcome] += load.counts[outcome]
      failures.push(...load.failures)
      exitsMs.push(exitMs)
      // Every request that the process handled got a response.
      expect(countLogged(service)).toBe(load.apiAnswers())
      await proof.start()
      expect(await countStored(load.unansweredWrites)).toBe(0)
    }
    const longest = Math.round(Math.max(...exitsMs))
    console.log(
      `${stops} stops: ${JSON.stringify(sums)}; exit median ${median(exitsMs)} max ${longest} ms`,
    )
    expect(failures).toEqual([])
    // Nobody here has a reason to be waited for, which would take five seconds. At best, for a busy machine adds to it.
    expect(Math.min(...exitsMs)).toBeLessThan(5_000)
  })

  it('control: SIGKILL loses requests that were taken, and streams end without a word', async () => {
    const lost: string[] = []
    let silent = 0
    for (let i = 0; i < stopsOfControl; i++) {
      const { load, streams } = await stopUnderLoad('SIGKILL')
      lost.push(...load.failures)
      silent += streams.filter((stream) => !/\nretry: \d+\n\n$/.test(stream.text())).length
      await proof.start()
    }
    console.log(`control: ${lost.length} requests lost, ${silent} streams cut`)
    expect(lost.length).toBeGreaterThan(0)
    expect(silent).toBe(4 * stopsOfControl)
  })

  it('waits for clients that do not finish, but not for ever', async () => {
    const service = proof.current()
    const sockets = await Promise.all([hang(service.apiUrl), hang(service.configUrl)])
    const askedAt = performance.now()
    const exitCode = await service.stop()
    const exitMs = performance.now() - askedAt
    console.log(`with clients that hang: exit code ${exitCode} after ${Math.round(exitMs)} ms`)
    for (const socket of sockets) socket.destroy()
    await proof.start()
    expect(exitMs).toBeGreaterThan(1_500)
    expect(exitMs).toBeLessThan(exitMsMax)
  })

  it('a second time exits at once', async () => {
    const service = proof.current()
    const socket = await hang(service.apiUrl)
    const ended = once(service.process, 'exit')
    service.process.kill('SIGTERM')
    await until(() => service.output().includes('Stopping'), 'the stop')
    const askedAgainAt = performance.now()
    service.process.kill('SIGTERM')
    await ended
    const exitMs = performance.now() - askedAgainAt
    socket.destroy()
    console.log(`a second signal: exit after ${Math.round(exitMs)} ms`)
    // The database of the process that did not wait for it is taken over.
    await proof.start()
    // Less than the clients of the first signal would be waited for.
    expect(exitMs).toBeLessThan(4_000)
  })
})

function connectTo(url: string): Socket {
  const socket = connect(portOf(url), new URL(url).hostname)
  socket.on('error', () => undefined)
  return socket
}

/** Begins a request and never sends the rest of it. Answers once the server has read the beginning. */
async function hang(url: string): Promise<Socket> {
  const { schemaId, environmentId, orgId, serverKey, browserKey } = made
  const socket = connectTo(url)
  const path = `/snapshots/${schemaId}/${environmentId}`
  const whole = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${browserKey}\r\n\r\n`
  const begun =
    `PUT /organizations/${orgId}/config-values HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${serverKey}\r\nContent-Length: 1000\r\n\r\n{"schemaId":`
  socket.write(whole + begun)
  await once(socket, 'data')
  return socket
}
