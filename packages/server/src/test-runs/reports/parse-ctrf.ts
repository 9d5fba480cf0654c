import { z } from 'zod'
import { decodeReport } from './decode-report.ts'
import {
  invalidReport,
  renderUnshown,
  reportLimits,
  toCaseStatus,
  toKeptMessage,
  toKeptName,
  toKeptText,
  tooManyCases,
  toSuiteFailure,
  type TestCase,
  type TestReport,
} from './test-report.ts'

const text = z.string().nullish().catch(null)
const amount = z.number().min(0).nullish().catch(null)

const ctrfTest = z.object({
  name: text,
  status: text,
  duration: amount,
  suite: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  filePath: text,
  message: text,
  trace: text,
  retries: amount,
  flaky: z.boolean().nullish().catch(null),
})

const ctrf = z.object({
  results: z.object({
    summary: z.object({ start: amount, stop: amount, failed: amount }).nullish().catch(null),
    environment: z
      .object({ shardId: z.union([z.string(), z.number()]).nullish().catch(null) })
      .nullish()
      .catch(null),
    tests: z.array(z.unknown()),
  }),
})

/**
 * Reads a CTRF report: `{ "results": { "summary": {…}, "tests": [{ "name", "status", "duration" }] } }`. What we do not use
 * is not looked at, a status we do not know is `other`, and a failure that only the summary tells of is one of the whole report.
 *
 * @throws {Problem} `invalid_report`
 * @see https://ctrf.io/docs/specification
 */
export function parseCtrf(bytes: Buffer): TestReport {
  const json = decodeReport(bytes).replace(/^\uFEFF/, '')
  refuseDepth(json)
  const parsed = ctrf.safeParse(parseJson(json))
  if (!parsed.success) throw toProblem('', parsed.error)
  const { tests, summary, environment } = parsed.data.results
  if (tests.length > reportLimits.cases) throw tooManyCases('/results/tests')
  const cases = tests.map(toCase)
  const stated = summary?.failed ?? 0
  if (stated > 0 && !cases.some(({ status }) => status === 'failed')) {
    cases.push(toSuiteFailure('summary', renderUnshown(stated)))
  }
  return {
    format: 'ctrf',
    cases,
    shard: toShard(environment?.shardId),
    startedAt: toMoment(summary?.start),
    finishedAt: toMoment(summary?.stop),
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalidReport('', 'The report is not valid JSON. Send JUnit as application/xml.')
  }
}

/** Before it is parsed: brackets outside of strings, one look at each character. */
function refuseDepth(json: string): void {
  let depth = 0
  let isString = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (isString) {
      if (code === 0x5c) at++
      else if (code === 0x22) isString = false
    } else if (code === 0x22) isString = true
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
    if (depth > reportLimits.depth) {
      throw invalidReport('', `The report is nested deeper than ${reportLimits.depth} levels.`)
    }
  }
}

function toCase(test: unknown, index: number): TestCase {
  const parsed = ctrfTest.safeParse(test)
  const pointer = `/results/tests/${index}`
  if (!parsed.success) throw toProblem(pointer, parsed.error)
  const { name, status, duration, suite, filePath, message, trace, retries, flaky } = parsed.data
  const outcome = toCaseStatus(status ?? undefined) ?? 'other'
  const suiteName = Array.isArray(suite) ? suite.join(' > ') : suite
  return {
    suite: toKeptText(suiteName ?? filePath ?? '', reportLimits.nameLength),
    name: toKeptName(name, suiteName, filePath),
    status: outcome,
    durationMs: toDuration(duration),
    retries: Math.min(1000, Math.round(retries ?? 0)),
    flaky: flaky ?? (outcome === 'passed' && (retries ?? 0) >= 1),
    message: toKeptMessage(message ?? trace),
  }
}

function toDuration(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined || ms > Number.MAX_SAFE_INTEGER ? null : Math.round(ms)
}

function toShard(id: string | number | null | undefined): string | null {
  const shard = toKeptText(String(id ?? ''), 100)
  return shard === '' ? null : shard
}

/** Milliseconds since 1970. Some tools write seconds or 0: such a moment is none. */
function toMoment(ms: number | null | undefined): Date | null {
  const isPlausible = ms !== null && ms !== undefined && ms > 1e12 && ms < 1e13
  return isPlausible ? new Date(ms) : null
}

function toProblem(pointer: string, { issues: [issue] }: z.ZodError) {
  const path = (issue?.path ?? []).map(
    (part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`,
  )
  const expected = issue?.code === 'invalid_type' ? issue.expected : 'something else'
  return invalidReport(`${pointer}${path.join('')}`, `A CTRF report needs ${expected} here.`)
}
