import { Problem } from '@signalbox/contract'

export type CaseStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

/** One test of a report. */
export interface TestCase {
  readonly suite: string
  readonly name: string
  readonly status: CaseStatus
  readonly durationMs: number | null
  /** Tries after the first. */
  readonly retries: number
  /** It passed after it had failed. */
  readonly flaky: boolean
  /** The first lines of what went wrong. */
  readonly message: string | null
}

/** What a report says, whatever its format. */
export interface TestReport {
  readonly format: 'ctrf' | 'junit'
  readonly cases: readonly TestCase[]
  /** Which part of the run it is, where the report says so. */
  readonly shard: string | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** What is refused for its size. */
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

/** The refusal of a report, with the one place where it goes wrong. */
export function invalidReport(pointer: string, detail: string): Problem {
  return new Problem('invalid_report', detail, {
    errors: [{ pointer, code: 'invalid_report', detail }],
  })
}

export function tooManyCases(pointer: string): Problem {
  return invalidReport(
    pointer,
    `A report may have at most ${reportLimits.cases} tests. Send it in shards.`,
  )
}

/** Text as it is kept: PostgreSQL takes no NUL, and nobody reads on for ever. */
export function toKeptText(text: string, length: number): string {
  return text.slice(0, length).replaceAll('\0', '').toWellFormed().trim()
}

export function toKeptMessage(text: string | null | undefined): string | null {
  const kept = toKeptText(text ?? '', reportLimits.messageLength)
  return kept === '' ? null : kept
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {Problem} `invalid_report` */
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
