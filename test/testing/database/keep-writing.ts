import { setTimeout as delay } from 'node:timers/promises'
import { bearer, createClient } from '../http.ts'
import type { OpenService } from '../open-service.ts'

const writers = 6
/** Spares the processors, and gives a refused writer a moment. */
const pauseMs = 10

/** Describes a write that was acknowledged, by the id of what it made. */
export interface Acknowledged {
  readonly id: string
  readonly at: number
}

/** Describes writers that do not stop when they are refused. */
export interface Writing {
  readonly acknowledged: readonly Acknowledged[]
  /** Counts the other answers by their status. */
  readonly refused: ReadonlyMap<number, number>
  /** Ends when every request under way has its answer. */
  stop(): Promise<void>
}

/** Writes until it is stopped, and notes each write that was acknowledged, and each other answer. */
export function keepWriting({
  apiUrl,
  bootstrapToken,
}: Pick<OpenService, 'apiUrl' | 'bootstrapToken'>): Writing {
  const client = createClient(apiUrl)
  const acknowledged: Acknowledged[] = []
  const refused = new Map<number, number>()
  const over = new AbortController()
  const write = async (writer: number) => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const { status, bytes } = await client.send({
        method: 'POST',
        path: '/organizations',
        json: { name: `Writer ${writer}, turn ${turn}` },
        headers: bearer(bootstrapToken),
      })
      if (status === 201) {
        const { id } = JSON.parse(bytes.toString()) as { id: string }
        acknowledged.push({ id, at: performance.now() })
      } else refused.set(status, (refused.get(status) ?? 0) + 1)
      await delay(pauseMs)
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, (_, index) => write(index)))
  return {
    acknowledged,
    refused,
    async stop() {
      over.abort()
      await writing
      client.close()
    },
  }
}
