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

const statusWords: ReadonlyMap<string, CaseStatus> = new Map([
  ...words('passed', 'passed pass success successful succeeded ok'),
  ...words(
    'failed',
    'failed fail failure error errored broken crashed timeout timedout interrupted',
  ),
  ...words('skipped', 'skipped skip disabled ignored notrun notexecuted suppressed'),
  ...words('pending', 'pending todo'),
])

function words(status: CaseStatus, list: string) {
  return list.split(' ').map((word) => [word, status] as const)
}

/** Returns what a word of a report says of a test, in whatever spelling; `undefined` where it is not known. */
export function toCaseStatus(word: string | undefined): CaseStatus | undefined {
  return statusWords.get((word ?? '').toLowerCase().replaceAll(/[^a-z]/g, ''))
}

/** Holds the sizes above which a report is refused. */
export const reportLimits = {
  bytes: 20 * 1024 * 1024,
  cases: 100_000,
  depth: 64,
  elements: 500_000,
  attributes: 64,
  tagLength: 256 * 1024,
  /** Characters that are looked at of an attribute: as many as a message has, each written as a long entity. */
  attributeLength: 20_000,
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

/** Ends a message that was cut. */
const cutMark = ' … (cut)'

/** Returns a message as it is stored, which says so where it was cut; `null` where there is none. */
export function toKeptMessage(text: string | null | undefined): string | null {
  const { messageLength } = reportLimits
  const isCut = (text?.length ?? 0) > messageLength
  const message = toKeptText(text ?? '', isCut ? messageLength - cutMark.length : messageLength)
  if (message === '') return null
  return isCut ? message + cutMark : message
}

/** Returns the first name that says anything, as it is stored: whatever a runner left unnamed is known by what it is in. */
export function toKeptName(...names: readonly (string | null | undefined)[]): string {
  for (const name of names) {
    const text = toKeptText(name ?? '', reportLimits.nameLength)
    if (text !== '') return text
  }
  return '(no name)'
}

/** Describes a failure that a report states of a whole suite, and of none of its tests. */
export function toSuiteFailure(suite: string, message: string | null): TestCase {
  const name = toKeptName(suite)
  const own = { durationMs: null, retries: 0, flaky: false }
  return { suite: name, name, status: 'failed', ...own, message }
}

/** Says that tests failed by the words of a report, which shows none of them. */
export function renderUnshown(stated: number): string {
  return `The report says that ${stated} of its tests failed, and shows none of them.`
}
