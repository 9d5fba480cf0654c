import { Problem } from '@signalbox/contract'
import {
  startReportThread,
  type ReportThread,
  type ThreadOutcome,
  type WorkerRequest,
} from './report-thread.ts'
import { invalidReport, type TestReport } from './test-report.ts'

/** Reads reports without anybody else waiting for it. */
export interface ReportParser {
  /** @throws {Problem} `unsupported_media_type`, `invalid_report`, `overloaded` while too many wait, `draining` */
  parse(contentType: string | undefined, bytes: Buffer): Promise<TestReport>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Describes the limits of a parser; left out: those of the product. */
export interface ReportParserOptions {
  /** Limits the time that one report takes. Default 30 s. */
  readonly limitMs?: number
  /** Limits the reports that wait, each with up to 20 MB in memory. Default 8. */
  readonly waitingMax?: number
  /** Limits the size of a report that is read at once, which takes a few milliseconds. Default 64 KiB. */
  readonly inlineBytesMax?: number
  /** Limits the time without a report, after which the thread ends and gives its memory back. Default 60 s. */
  readonly idleMs?: number
  readonly startThread?: () => ReportThread
}

/** Reads small reports at once and larger ones in a thread, one after the other. The thread is started by the first. */
export function createReportParser(options: ReportParserOptions = {}): ReportParser {
  const { limitMs = 30_000, waitingMax = 8, inlineBytesMax = 64 * 1024, idleMs = 60_000 } = options
  const { startThread = startReportThread } = options
  let thread: ReportThread | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let underWay = 0
  let isClosed = false

  const endThread = async () => {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    await ended?.end()
  }
  const ask = async (request: WorkerRequest): Promise<ThreadOutcome> => {
    if (isClosed) return 'closed'
    clearTimeout(idle)
    thread ??= startThread()
    try {
      const outcome = await thread.ask(request, limitMs)
      if (typeof outcome === 'string') await endThread()
      return outcome
    } catch (error) {
      await endThread()
      throw error
    } finally {
      idle = setTimeout(() => void endThread(), idleMs).unref()
    }
  }
  return {
    async parse(contentType, bytes) {
      if (bytes.length <= inlineBytesMax) {
        // Loaded with the first report, with the reader of XML.
        const { parseReport } = await import('./parse-report.ts')
        return parseReport(contentType, bytes)
      }
      if (underWay > waitingMax) {
        const detail = 'The server is busy with other large reports. Send it again.'
        throw new Problem('overloaded', detail, { retryAfterSeconds: 10 })
      }
      underWay += 1
      try {
        const before = last
        const own = before.then(() => ask({ contentType, bytes }))
        last = own.catch(() => undefined)
        return toReport(await own, limitMs)
      } finally {
        underWay -= 1
      }
    },
    async close() {
      isClosed = true
      await endThread()
    },
  }
}

function toReport(outcome: ThreadOutcome, limitMs: number): TestReport {
  switch (outcome) {
    case 'late':
      throw invalidReport(
        '',
        `Reading the report takes longer than ${limitMs / 1000} seconds. Send it in shards.`,
      )
    case 'exhausted':
      throw invalidReport('', 'Reading the report takes too much memory. Send it in shards.')
    case 'closed':
      throw new Problem('draining', 'The service is stopping. Send the report again.')
    default:
  }
  if ('report' in outcome) return outcome.report
  const { code, detail, errors } = outcome.problem
  throw new Problem(code, detail, errors && { errors })
}
