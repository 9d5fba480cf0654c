import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkCache } from './run-command.ts'

/** Counts tests and steps that passed and failed. */
export interface Totals {
  readonly passed: number
  readonly failed: number
}

/** Describes how long one test took. */
export interface TestTime {
  /** Its file and its full name. */
  readonly test: string
  readonly seconds: number
}

/** Tells how a file of tests ended. */
export interface TestFile {
  /** From the root of the work tree on, with `/`. */
  readonly path: string
  readonly hasFailed: boolean
  /** Says that each of its tests passed: one that was skipped may run on another day. */
  readonly isGreen: boolean
}

/** Names the file in which vitest leaves its counts and times. */
export const testReportPath = join(checkCache, 'tests.json')

/**
 * Returns what the vitest run that just ended counted. A run that failed without a failing test (a file that does not load,
 * an unhandled rejection, a crash) counts as one failure; one that was cut short leaves no counts at all.
 */
export function countTests(exitedWell: boolean): Totals {
  const report = readReport()
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = report ?? { numFailedTests: 1 }
  return { passed, failed: exitedWell ? failed : Math.max(failed, 1) }
}

/** Lists the slowest tests of the vitest run that just ended, the slowest first. */
export function listSlowestTests(count: number): readonly TestTime[] {
  const times = (readReport()?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      test: `${relative(process.cwd(), name)} > ${fullName}`,
      seconds: (duration ?? 0) / 1000,
    })),
  )
  return times.toSorted((one, other) => other.seconds - one.seconds).slice(0, count)
}

/** Lists the files of the vitest run that just ended. One that does not load has failed. */
export function listTestFiles(root = process.cwd()): readonly TestFile[] {
  return (readReport()?.testResults ?? []).map(({ name, status, assertionResults }) => ({
    path: relative(root, name).replaceAll('\\', '/'),
    hasFailed: status === 'failed',
    isGreen: status === 'passed' && assertionResults.every((test) => test.status === 'passed'),
  }))
}

/** Describes what the JSON reporter of vitest writes, as far as it is read here. */
interface Report {
  readonly numPassedTests?: number
  readonly numFailedTests?: number
  readonly testResults?: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly duration?: number
    }[]
  }[]
}

function readReport(): Report | undefined {
  if (!existsSync(testReportPath)) return undefined
  const report: Report = JSON.parse(readFileSync(testReportPath, 'utf8'))
  return report
}
