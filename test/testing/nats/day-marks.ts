import { setTimeout as delay } from 'node:timers/promises'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { isOlderMark, parseMark, type Mark } from '../../../packages/server/src/replica/mark.ts'
import {
  groupOfAll,
  markKey,
  natsLayout,
} from '../../../packages/server/src/replica/nats-subjects.ts'
import { parseSigned } from '../../../packages/server/src/replica/object-name.ts'
import { until } from '../proof-service.ts'

/** Watches the mark that NATS has, and holds the one of the beginning. */
export interface DayMarks {
  /**
   * Puts the mark of the beginning back again and again, as a NATS that was restored to an older state has it. Returns what ends
   * that.
   */
  putBack(): () => Promise<void>
  /** Describes each mark that was stored in place of a newer one, unless `putBack` had a part in it. */
  listStepsBack(): readonly string[]
  close(): Promise<void>
}

const watchMs = 5
const layout = natsLayout('signalbox')
const key = markKey(groupOfAll)

interface StoredMark {
  readonly sequence: number
  readonly mark: Mark
}

/** Waits for the first mark, and watches from then on. */
export async function openDayMarks({ url }: { readonly url: string }): Promise<DayMarks> {
  const connection = await connect({ servers: url.split(','), maxReconnectAttempts: -1 })
  let first: Msg | undefined
  // There is no answer before the stream, and none before its first leader.
  await until(async () => (first = await readStored(connection)) !== undefined, 'the first mark')
  const watch = createMarkWatch()
  let isPaused = false
  const watching = new AbortController()
  const over = repeat(watchMs, watching.signal, async () => {
    const stored = await readStored(connection)
    // One that was asked for before the pause may arrive in it.
    if (stored !== undefined && !isPaused) watch.note(stored)
  })
  return {
    putBack() {
      const ending = new AbortController()
      isPaused = true
      let putAt = 0
      const putting = repeat(20, ending.signal, async () => {
        // There is no answer while nobody leads the stream.
        const answer = await connection
          .request(layout.subjectOf(key), first?.data)
          .catch(() => undefined)
        putAt = answer?.json<{ seq?: number }>().seq ?? putAt
      })
      return async () => {
        ending.abort()
        await putting
        watch.begin(putAt)
        isPaused = false
      }
    },
    listStepsBack: () => watch.listStepsBack(),
    async close() {
      watching.abort()
      await over
      await connection.close()
    },
  }
}

/** Reads the mark from whichever server holds the stream: its number in the stream says which of two was stored later. */
async function readStored(connection: NatsConnection): Promise<Msg | undefined> {
  const answer = await connection.request(layout.directGetOf(key)).catch(() => undefined)
  return answer?.headers?.hasError === true ? undefined : answer
}

async function repeat(pauseMs: number, signal: AbortSignal, work: () => Promise<unknown>) {
  while (!signal.aborted) {
    await work()
    await delay(pauseMs)
  }
}

/** Creates what orders the marks that were seen as they were stored. */
function createMarkWatch() {
  let current = new Map<number, StoredMark>()
  let from = 0
  const all = [current]
  return {
    note({ data, headers }: Msg) {
      const sequence = Number(headers?.get('Nats-Sequence'))
      const mark = parseMark(parseSigned(Buffer.from(data).toString('utf8'))?.text ?? '')
      if (mark !== undefined && sequence >= from) current.set(sequence, { sequence, mark })
    },
    /** Compares nothing before a number of the stream with anything after it. A server may still answer with the former. */
    begin(sequence: number) {
      from = sequence
      current = new Map()
      all.push(current)
    },
    listStepsBack: () => all.flatMap((each) => findStepsBack([...each.values()])),
  }
}

function findStepsBack(seen: readonly StoredMark[]): string[] {
  const ordered = seen.toSorted((one, other) => one.sequence - other.sequence)
  return ordered.flatMap(({ sequence, mark }, index) => {
    const before = ordered[index - 1]
    return before !== undefined && isOlderMark(mark, before.mark)
      ? [`${before.sequence}: ${before.mark.counter}, then ${sequence}: ${mark.counter}`]
      : []
  })
}
