import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkCache } from './run-command.ts'

/** Tests and steps that passed and failed. */
export interface Totals {
  readonly passed: number
  readonly failed: number
}

/** Where vitest leaves its counts. */
export const testReportPath = join(checkCache, 'tests.json')

/**
 * What the vitest run that just ended counted. A run that failed without a failing test (a file that does not load,
 * an unhandled rejection, a crash) counts as one failure; one that was cut short leaves no counts at all.
 */
export function countTests(exitedWell: boolean): Totals {
  const { passed, failed } = existsSync(testReportPath)
    ? readCounts(JSON.parse(readFileSync(testReportPath, 'utf8')))
    : { passed: 0, failed: 1 }
  return { passed, failed: exitedWell ? failed : Math.max(failed, 1) }
}

function readCounts(report: unknown): Totals {
  const count = (name: string) => {
    const value: unknown = report instanceof Object ? Reflect.get(report, name) : undefined
    return typeof value === 'number' ? value : 0
  }
  return { passed: count('numPassedTests'), failed: count('numFailedTests') }
}
