import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** Describes the result of one run of a bench, with the figure that it is compared with. */
export interface BenchResult {
  /** The row of the table of figures, such as `P1`. */
  readonly figure: string
  readonly what: string
  readonly reach: string
  readonly reached: boolean
  /** Holds the result in the words of `reach`. Example: `0.93 of its requests/s, p99 1.08x`. */
  readonly found: string
  readonly measured: Readonly<Record<string, unknown>>
  /** Why a figure is missed and what was tried. */
  readonly remark?: string
}

/** A result as it is kept. */
export interface BenchRecord extends BenchResult {
  /** ISO 8601. */
  readonly at: string
  readonly commit: string
  readonly machine: Readonly<Record<string, string | number>>
}

const resultsDirectory = join(import.meta.dirname, 'results')

/** Writes a result beside the machine and the commit it was measured on, and prints it. */
export function recordResult(result: BenchResult): void {
  const [cpu] = cpus()
  const document: BenchRecord = {
    ...result,
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: {
      cpu: cpu?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      kernel: release(),
      node: process.version,
    },
  }
  mkdirSync(resultsDirectory, { recursive: true })
  const file = join(resultsDirectory, `${result.figure.toLowerCase()}.json`)
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`)
  process.stdout.write(
    `${result.figure} ${result.reached ? 'reached' : 'MISSED'}: ${result.what}: ${result.found}\n`,
  )
  process.stdout.write(`${JSON.stringify(result.measured, undefined, 2)}\n`)
}

/** The value below which `share` of the sorted copies of `values` lie. Example: `percentile(times, 0.99)`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
