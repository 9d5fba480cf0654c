import { createHash } from 'node:crypto'
import type { CodehostTestReport } from '../../providers/codehosts/test-report.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { readCause } from '../workflows/read-cause.ts'
import { hostShard } from './report-shard.ts'
import type { ReportPart } from './store-report.ts'
import { reportLimits, toKeptMessage, toKeptText, type TestCase } from './test-report.ts'

/** Asks a code host for results. What cannot be read is as good as none; what may be there later is thrown, so that the job is tried again. */
export async function askForReport<Report>(
  ask: () => Promise<Report | undefined>,
): Promise<Report | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderError && isPassing(error)) throw error
    if (readCause(error) === undefined) throw error
    return undefined
  }
}

function isPassing({ failure }: ProviderError): boolean {
  return failure === 'unavailable' || failure === 'rateLimited'
}

/** Returns what a code host has shown as a part of a run. */
export function toHostPart(report: CodehostTestReport): ReportPart {
  const { passed, failed, skipped, durationMs, unread } = report
  const sums = { passed, failed, skipped, durationMs }
  const missing = unread === undefined ? {} : { missing: toKeptText(unread, 300) }
  const cases = report.cases.slice(0, reportLimits.cases).flatMap(toCase)
  return {
    shard: hostShard,
    hash: createHash('sha256').update(JSON.stringify(report)).digest(),
    format: 'codehost',
    cases,
    // It says how long the tests took, and not when.
    summary: { ...sums, flaky: 0, startedAt: null, finishedAt: null, ...missing },
  }
}

function toCase({ suite, name, status, durationMs, message }: CodehostTestReport['cases'][number]) {
  const keptName = toKeptText(name, reportLimits.nameLength)
  if (keptName === '') return []
  const testCase: TestCase = {
    suite: toKeptText(suite, reportLimits.nameLength),
    name: keptName,
    status,
    durationMs,
    retries: 0,
    flaky: false,
    // The output of a passing test is no reason of anything.
    message: status === 'passed' ? null : toKeptMessage(message),
  }
  return [testCase]
}
