import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join, relative } from 'node:path'

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

/** Names the code that a figure was measured on. */
export interface MeasuredCode {
  /** The file that measures it. Example: `bench/ofrep.ts`. */
  readonly bench: string
  readonly hash: string
}

/** A result as it is kept. */
export interface BenchRecord extends BenchResult {
  /** ISO 8601. */
  readonly at: string
  readonly commit: string
  readonly machine: Readonly<Record<string, string | number>>
  /** Left out in results from before it was kept. */
  readonly code?: MeasuredCode
}

const resultsDirectory = join(import.meta.dirname, 'results')

/** Names the variable in which `npm run bench` hands a bench the hash of what it measures, which has just been built. */
export const codeVariable = 'BENCH_CODE'

/**
 * Prints a result, and writes it beside the machine and the code it was measured on. A bench that is run by hand, for a look,
 * only prints: its numbers of rounds may be others, and nobody built what it measures.
 */
export function recordResult(result: BenchResult): void {
  process.stdout.write(
    `${result.figure} ${result.reached ? 'reached' : 'MISSED'}: ${result.what}: ${result.found}\n`,
  )
  process.stdout.write(`${JSON.stringify(result.measured, undefined, 2)}\n`)
  const hash = process.env[codeVariable]
  if (hash === undefined) return
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
    code: { bench: relative(join(import.meta.dirname, '..'), process.argv[1] ?? ''), hash },
  }
  mkdirSync(resultsDirectory, { recursive: true })
  const file = join(resultsDirectory, `${result.figure.toLowerCase()}.json`)
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`)
}

/** The value below which `share` of the sorted copies of `values` lie. Example: `percentile(times, 0.99)`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
