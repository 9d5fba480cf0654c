import type { Client } from '../../test/testing/http.ts'
import { bearer, createClient } from '../../test/testing/http.ts'
import type { Maker } from '../../test/testing/organization.ts'
import { residentMiB } from '../child.ts'
import { percentile } from '../record.ts'
import { publicKey, type FilledOrganization } from './fill.ts'
import type { GrowingServer } from './server.ts'
import { keysEach } from './sizes.ts'

/** Holds what is measured at one size: milliseconds, but for the memory. */
export type Measured = Readonly<Record<string, number>>

/** Describes what a size is measured on. */
export interface Subject {
  readonly server: GrowingServer
  readonly client: Client
  readonly maker: Maker
  readonly organizations: readonly FilledOrganization[]
  /** Has a schema of fifty keys, at every size. */
  readonly small: FilledOrganization
}

const smallKeys = 50
const warmUp = 5
const rounds = { read: 400, write: 40, page: 25 }

const round = (value: number) => Number(value.toFixed(2))
const p50 = (times: readonly number[]) => round(percentile(times, 0.5))

let turns = 0

/** Measures everything at the size that the server has. */
export async function measureSize(subject: Subject): Promise<Measured> {
  const { server, small: organization } = subject
  const fromDatabase = await server.restartDelivery({ empty: true, organization })
  const memory = residentMiB(server.delivery().pid)
  const fromDisk = await server.restartDelivery({ empty: false, organization })
  return {
    yardstick: p50(await timeOf(rounds.page, () => get(subject, '/healthz'))),
    'start from the database': Math.round(fromDatabase),
    'start from the disk': Math.round(fromDisk),
    'memory of a delivery (MiB)': Math.round(memory),
    ...(await measureReads(subject)),
    ...(await measureWrites(subject)),
    ...(await measurePages(subject)),
    ...(await measureReports(subject)),
  }
}

async function timeOf(count: number, work: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < count + warmUp; turn += 1) {
    const tookMs = await work()
    if (turn >= warmUp) times.push(tookMs)
  }
  return times
}

async function send(
  { client, server }: Subject,
  ask: { readonly method: string; readonly path: string; readonly json?: unknown },
): Promise<number> {
  const answer = await client.send({ ...ask, headers: bearer(server.bootstrapToken) })
  if (answer.status >= 300)
    throw new Error(`${ask.method} ${ask.path}: ${answer.status} ${answer.bytes.toString()}`)
  return answer.tookMs
}

const get = (subject: Subject, path: string) => send(subject, { method: 'GET', path })

const oneOf = <T>(items: readonly T[]): T => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('There is none')
  return item
}

/** Reads snapshots of 2,000 keys of any organization, as clients begin to. */
async function measureReads({ server, organizations }: Subject): Promise<Measured> {
  const client = createClient(server.delivery().configUrl)
  const times = await timeOf(rounds.read, async () => {
    const { schemaId, environmentIds, serverKey } = oneOf(organizations)
    const path = `/snapshots/${schemaId}/${oneOf(environmentIds)}`
    const { status, tookMs } = await client.send({
      method: 'GET',
      path,
      headers: bearer(serverKey),
    })
    if (status !== 200) throw new Error(`GET ${path}: ${status}`)
    return tookMs
  })
  client.close()
  return {
    'read p50': p50(times),
    'read p99': round(percentile(times, 0.99)),
    'memory after reads (MiB)': Math.round(residentMiB(server.delivery().pid)),
  }
}

interface Write {
  readonly organization: FilledOrganization
  readonly keys: number
}

/** Writes one value. Returns how long the answer takes, and how long until the delivery serves it. */
async function writeOnce(
  subject: Subject,
  delivered: Client,
  { organization, keys }: Write,
): Promise<{ readonly writeMs: number; readonly servedMs: number }> {
  const { id, schemaId, environmentIds, serverKey } = organization
  const environmentId = oneOf(environmentIds)
  const value = `value ${(turns += 1)}`
  const headers = bearer(serverKey)
  const path = `/snapshots/${schemaId}/${environmentId}`
  const before = await delivered.send({ method: 'GET', path, headers })
  const etag = before.headers.etag ?? ''
  const begun = performance.now()
  const writeMs = await send(subject, {
    method: 'PUT',
    path: `/organizations/${id}/config-values`,
    json: { schemaId, environmentId, values: { [publicKey(keys)]: value } },
  })
  for (;;) {
    const ask = { method: 'GET', path, headers: { ...headers, 'if-none-match': etag } }
    if ((await delivered.send(ask)).status === 200) break
    if (performance.now() - begun > 10_000) throw new Error(`${path} is not served`)
  }
  return { writeMs, servedMs: performance.now() - begun }
}

/** Writes to a schema of 2,000 keys and to one of fifty, taking turns. */
async function measureWrites(subject: Subject): Promise<Measured> {
  const delivered = createClient(subject.server.delivery().configUrl)
  const times: Record<'large' | 'small' | 'served', number[]> = { large: [], small: [], served: [] }
  for (let turn = 0; turn < rounds.write + warmUp; turn += 1) {
    const large = { organization: oneOf(subject.organizations), keys: keysEach }
    const { writeMs, servedMs } = await writeOnce(subject, delivered, large)
    const small = await writeOnce(subject, delivered, {
      organization: subject.small,
      keys: smallKeys,
    })
    if (turn < warmUp) continue
    times.large.push(writeMs)
    times.served.push(servedMs)
    times.small.push(small.writeMs)
  }
  delivered.close()
  return {
    'write p50': p50(times.large),
    'write p95': round(percentile(times.large, 0.95)),
    'write p50 with 50 keys': p50(times.small),
    'write until it is served p50': p50(times.served),
  }
}

/** Asks for what people look at, in the organization that has all deployments. */
async function measurePages(subject: Subject): Promise<Measured> {
  const { id } = oneOf(subject.organizations.slice(0, 1))
  const pages: Readonly<Record<string, string>> = {
    overview: 'overview',
    timeline: 'changes',
    'timeline with a text': 'changes?text=nothing-has-this',
    'list of deployments': 'deployments',
    'failed deployments': 'deployments?state=failure',
    search: 'search?query=feature-7',
    'search for a commit': 'search?query=abcd',
    'chart of a month': 'series/deployments?days=30',
    'delivery figures': 'delivery-figures',
  }
  const measured: Record<string, number> = {}
  for (const [name, path] of Object.entries(pages))
    measured[name] = p50(
      await timeOf(rounds.page, () => get(subject, `/organizations/${id}/${path}`)),
    )
  return measured
}

/** Reports deployments, as pipelines do. */
async function measureReports(subject: Subject): Promise<Measured> {
  const { id } = oneOf(subject.organizations.slice(0, 1))
  const times = await timeOf(rounds.write, () =>
    send(subject, {
      method: 'POST',
      path: `/organizations/${id}/deployments`,
      json: {
        repository: 'acme/app-1',
        sha: (turns += 1).toString(16).padStart(40, '0'),
        ref: 'main',
        environment: 'env-1',
        state: 'success',
      },
    }),
  )
  return { 'report of a deployment p50': p50(times) }
}
