import { setTimeout as delay } from 'node:timers/promises'
import { connect, headers, type Msg, type NatsConnection } from '@nats-io/transport-node'
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

/** Tells what `putBack` has stored from what publishers store. */
const putBackHeader = 'Signalbox-Put-Back'

interface StoredMark {
  readonly sequence: number
  /** Holds when it was stored, such as `2026-11-30T08:10:06.981558004Z`, with all nine digits, so that the text orders. */
  readonly at: string
  readonly mark: Mark
}

/** Holds when marks were put back, in milliseconds since 1970. */
interface Interval {
  readonly from: number
  to: number
}

/** Waits for the first mark, and watches from then on. */
export async function openDayMarks({ url }: { readonly url: string }): Promise<DayMarks> {
  const connection = await connect({ servers: url.split(','), maxReconnectAttempts: -1 })
  let first: Msg | undefined
  // There is no answer before the stream, and none before its first leader.
  await until(async () => (first = await readStored(connection)) !== undefined, 'the first mark')
  const watch = createMarkWatch()
  const watching = new AbortController()
  const over = repeat(watchMs, watching.signal, async () => {
    const stored = await readStored(connection)
    if (stored !== undefined) watch.note(stored)
  })
  return {
    putBack() {
      const ending = new AbortController()
      const end = watch.ignore()
      const options = { timeout: 1_000, headers: headers() }
      options.headers.set(putBackHeader, 'yes')
      const putting = repeat(20, ending.signal, async () => {
        // There is no answer while nobody leads the stream. It may be stored later.
        await connection.request(layout.subjectOf(key), first?.data, options).catch(() => undefined)
      })
      return async () => {
        ending.abort()
        await putting
        end()
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
  const seen = new Map<string, StoredMark>()
  const ignored: Interval[] = []
  return {
    note({ data, headers: has }: Msg) {
      const sequence = Number(has?.get('Nats-Sequence'))
      const at = withAllDigits(has?.get('Nats-Time-Stamp') ?? '')
      const mark = parseMark(parseSigned(Buffer.from(data).toString('utf8'))?.text ?? '')
      if (mark === undefined) return
      if (has?.has(putBackHeader) === true)
        ignored.push({ from: Date.parse(at), to: Date.parse(at) })
      else seen.set(at, { sequence, at, mark })
    },
    /** Compares nothing before now with anything after what is returned was called. */
    ignore() {
      const interval = { from: Date.now(), to: Infinity }
      ignored.push(interval)
      return () => {
        interval.to = Date.now()
      }
    },
    listStepsBack: () => findStepsBack([...seen.values()], ignored),
  }
}

function withAllDigits(time: string): string {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}Z`
}

/**
 * Compares each mark with the one that was stored before it. A number that is lower than the one before is of a stream that NATS
 * has lost and a publisher made anew: nothing was there to replace.
 */
function findStepsBack(seen: readonly StoredMark[], ignored: readonly Interval[]): string[] {
  const ordered = seen.toSorted((one, other) => (one.at < other.at ? -1 : 1))
  return ordered.flatMap((stored, index) => {
    const before = ordered[index - 1]
    if (before === undefined || stored.sequence < before.sequence) return []
    const [from, to] = [Date.parse(before.at), Date.parse(stored.at)]
    if (ignored.some((interval) => from <= interval.to && to >= interval.from)) return []
    return isOlderMark(stored.mark, before.mark)
      ? [
          `${before.sequence}: ${before.mark.counter}, then ${stored.sequence}: ${stored.mark.counter}`,
        ]
      : []
  })
}
