import { cutText, Problem, toStorableText } from '@signalbox/contract'

/** Names the result of a test. */
export type CaseStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

/** Describes one test of a report. */
export interface TestCase {
  readonly suite: string
  readonly name: string
  readonly status: CaseStatus
  readonly durationMs: number | null
  /** Tries after the first. */
  readonly retries: number
  /** True when it passed after it had failed. */
  readonly flaky: boolean
  /** The first lines of what went wrong. */
  readonly message: string | null
}

/** Describes a report, whatever its format. */
export interface TestReport {
  readonly format: 'ctrf' | 'junit'
  readonly cases: readonly TestCase[]
  /** Names the part of the run that the report covers, if it says so. */
  readonly shard: string | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** Holds the sizes above which a report is refused. */
export const reportLimits = {
  bytes: 20 * 1024 * 1024,
  cases: 100_000,
  depth: 64,
  elements: 500_000,
  attributes: 64,
  tagLength: 256 * 1024,
  nameLength: 500,
  messageLength: 2_000,
} as const

/** Returns the problem of a report, with a pointer to where it goes wrong. */
export function invalidReport(pointer: string, detail: string): Problem {
  return new Problem('invalid_report', detail, {
    errors: [{ pointer, code: 'invalid_report', detail }],
  })
}

/** Returns the problem of a report with too many tests. */
export function tooManyCases(pointer: string): Problem {
  return invalidReport(
    pointer,
    `A report may have at most ${reportLimits.cases} tests. Send it in shards.`,
  )
}

/** Returns a text as it is stored: cut, and as `toStorableText` says. */
export function toKeptText(text: string, length: number): string {
  return toStorableText(cutText(text, length)).trim()
}

/** Returns a message as it is stored; `null` where there is none. */
export function toKeptMessage(text: string | null | undefined): string | null {
  const message = toKeptText(text ?? '', reportLimits.messageLength)
  return message === '' ? null : message
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a report as UTF-8. @throws {Problem} `invalid_report` */
export function decodeReport(bytes: Buffer): string {
  if (bytes.length > reportLimits.bytes) {
    throw invalidReport('', `A report may have at most ${reportLimits.bytes} bytes.`)
  }
  if (bytes.length === 0) throw invalidReport('', 'The report is empty.')
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidReport('', 'The report is not valid UTF-8.')
  }
}
