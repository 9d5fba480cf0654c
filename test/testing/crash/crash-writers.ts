import { setTimeout as delay } from 'node:timers/promises'
import { bearer, createClient, read, type Client } from '../http.ts'
import { createMaker } from '../organization.ts'
import type { ProofService } from '../proof-service.ts'

/** A write that the service said it has stored. */
export interface Acknowledged {
  readonly writer: number
  readonly environmentId: string
  readonly version: number
  readonly marker: string
}

/** Describes one writer, which records its own writes in their order. */
export interface Writer {
  readonly id: number
  readonly environmentId: string
  lastAcknowledged: string | undefined
  /** Neither acknowledged nor refused: the connection broke, or the service said that it does not know. */
  readonly unknown: Set<string>
}

/** Clients that write without a pause and remember what they were told. */
export interface Writers {
  readonly orgId: string
  readonly schemaId: string
  readonly serverKey: string
  readonly environmentIds: readonly string[]
  readonly all: readonly Writer[]
  /** Every acknowledged write since the last call. */
  takeAcknowledged(): Acknowledged[]
  /** Counts the writes that were acknowledged and began after `since` (`performance.now()`). */
  countSince(since: number): number
  readonly counts: { acknowledged: number; refused: number; unknown: number }
  /** Sends the writers to the process that serves at the moment. */
  follow(): void
  client(): Client
  /** Lets each finish what it does. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

const writerCount = 8
const environmentCount = 4
const backOffMs = 100
/** Every so many writes one is sent that has to be refused as a whole. */
const refusedEvery = 8

/** The keys of a writer: one in the open and one sealed, always written together. */
export const keysOf = (writer: number) => ({ open: `open${writer}`, sealed: `sealed${writer}` })

/** Makes the organization and starts to write. */
export async function startWriters(proof: ProofService): Promise<Writers> {
  let client = createClient(proof.current().apiUrl)
  const maker = createMaker(client, proof.bootstrapToken)
  const { id: orgId } = await maker.organization('Crash')
  const environmentIds: string[] = []
  for (let i = 0; i < environmentCount; i++) {
    environmentIds.push((await maker.environment(orgId, { name: `zone-${i}` })).id)
  }
  const { id: schemaId } = await maker.schema(orgId, { name: 'app', schema: definition() })
  const { secret: serverKey } = await maker.key(orgId, { name: 'writer', kind: 'm2m' })
  const all = Array.from({ length: writerCount }, (_, id): Writer => {
    const own = environmentIds[id % environmentCount] ?? ''
    return { id, environmentId: own, lastAcknowledged: undefined, unknown: new Set() }
  })
  const counts = { acknowledged: 0, refused: 0, unknown: 0 }
  let acknowledged: Acknowledged[] = []
  const begins: number[] = []
  const turn = { running: true }

  const write = async (writer: Writer, sequence: number): Promise<void> => {
    const { open, sealed } = keysOf(writer.id)
    const isRefused = sequence % refusedEvery === 0
    const marker = `${isRefused ? 'refused' : 'written'}-${writer.id}-${sequence}`
    const values = { [open]: marker, [sealed]: marker, ...(isRefused && { nowhere: marker }) }
    const begunAt = performance.now()
    if (!isRefused) writer.unknown.add(marker)
    const answer = await client
      .send({
        method: 'PUT',
        path: `/organizations/${orgId}/config-values`,
        headers: bearer(serverKey),
        json: { schemaId, environmentId: writer.environmentId, values },
      })
      .catch(() => undefined)
    if (answer?.status === 200) {
      const { version } = read(answer) as { version: number }
      writer.unknown.delete(marker)
      writer.lastAcknowledged = marker
      acknowledged.push({
        writer: writer.id,
        environmentId: writer.environmentId,
        version,
        marker,
      })
      counts.acknowledged++
      begins.push(begunAt)
    } else if (answer !== undefined && answer.status < 500) {
      writer.unknown.delete(marker)
      counts.refused++
    } else {
      counts.unknown++
      // Nobody is there: a client that asked without a pause would only delay the recovery.
      await delay(backOffMs)
    }
  }
  let idle: Promise<void>[] = []
  const run = async (writer: Writer, from: number): Promise<number> => {
    let sequence = from
    while (turn.running) await write(writer, ++sequence)
    return sequence
  }
  const sequences = all.map(() => 0)
  const resume = () => {
    turn.running = true
    idle = all.map(async (writer, i) => {
      sequences[i] = await run(writer, sequences[i] ?? 0)
    })
  }
  const pause = async () => {
    turn.running = false
    await Promise.all(idle)
  }
  resume()
  return {
    orgId,
    schemaId,
    serverKey,
    environmentIds,
    all,
    counts,
    takeAcknowledged() {
      const taken = acknowledged
      acknowledged = []
      return taken
    },
    countSince: (since) => begins.filter((begunAt) => begunAt > since).length,
    follow() {
      client.close()
      client = createClient(proof.current().apiUrl)
    },
    client: () => client,
    pause,
    resume,
    async stop() {
      await pause()
      client.close()
    },
  }
}

function definition(): object {
  const keys = Array.from({ length: writerCount }, (_, i) => keysOf(i))
  return Object.fromEntries(
    keys.flatMap(({ open, sealed }) => [
      [open, { type: 'string', tier: 'public' }],
      [sealed, { type: 'string', tier: 'secret' }],
    ]),
  )
}
