import { cpuSecondsOf } from './child.ts'
import type { LoadResult } from './load.ts'
import { percentile } from './record.ts'

/** Describes the result of one contestant in one round. */
export interface Measured extends LoadResult {
  /** Processor time of its processes for one answer: hardly depends on who else is on the machine. */
  readonly cpuMicroseconds: number
}

/** Runs some load, and measures what it costs the processes that answer, with their children. */
export async function measureProcesses(
  pids: readonly number[],
  run: () => Promise<LoadResult>,
): Promise<Measured> {
  const sumCpu = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
  const before = sumCpu()
  const result = await run()
  return { ...result, cpuMicroseconds: ((sumCpu() - before) / result.answers) * 1e6 }
}

/** Runs rounds of the same contestants, each in turn, and every other round backwards: who comes first is not better off. */
export async function compete<Name extends string>(
  rounds: number,
  contestants: Record<Name, () => Promise<Measured>>,
): Promise<Record<Name, Measured[]>> {
  const results = {} as Record<Name, Measured[]>
  const names = Object.keys(contestants) as Name[]
  for (const name of names) results[name] = []
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await contestants[name]()
      // The first round warms up.
      if (round >= 0) results[name].push(result)
      if (result.errors > 0) throw new Error(`${name}: ${result.errors} wrong answers`)
    }
    console.error(`round ${round + 1} of ${rounds}`)
  }
  return results
}

/** Holds what ours are to theirs: medians over rounds in which both were measured one after the other. */
export interface Ratios {
  readonly requestsPerSecond: number
  /** Answers in a second of processor time, which other work on the machine hardly changes. */
  readonly answersPerCpuSecond: number
  readonly p99: number
  /** Says that the first two differ by more than a tenth, or were measured in too few rounds, so that neither can be quoted. */
  readonly isNoisy: boolean
}

const roundsLeast = 7
const differenceMost = 0.1

export function ratios(ours: readonly Measured[], theirs: readonly Measured[]): Ratios {
  const of = (pick: (result: Measured) => number) =>
    round(
      percentile(
        ours.map((each, index) => pick(each) / pick(theirs[index] ?? each)),
        0.5,
      ),
    )
  const requestsPerSecond = of((r) => r.requestsPerSecond)
  const answersPerCpuSecond = of((r) => 1 / r.cpuMicroseconds)
  const agree = Math.abs(requestsPerSecond / answersPerCpuSecond - 1) <= differenceMost
  const isNoisy = ours.length < roundsLeast || !agree
  return { requestsPerSecond, answersPerCpuSecond, p99: of((r) => r.p99Ms), isNoisy }
}

/** Returns whether both yardsticks reach a ratio. */
export function reach(ratio: number, found: Ratios): boolean {
  return found.requestsPerSecond >= ratio && found.answersPerCpuSecond >= ratio
}

/** Renders a ratio by both yardsticks. Example: `0.65 (0.66 by processor time)`. */
export function renderRatio(found: Ratios): string {
  const { requestsPerSecond, answersPerCpuSecond, isNoisy } = found
  return `${requestsPerSecond} (${answersPerCpuSecond} by processor time${isNoisy ? ', noisy' : ''})`
}

const round = (value: number) => Math.round(value * 1000) / 1000

/** Returns the medians of each contestant over its rounds. */
export function medians(results: Readonly<Record<string, readonly Measured[]>>) {
  const of = (all: readonly Measured[], pick: (result: Measured) => number) =>
    round(percentile(all.map(pick), 0.5))
  return Object.fromEntries(
    Object.entries(results).map(([name, all]) => [
      name,
      {
        requestsPerSecond: Math.round(of(all, (r) => r.requestsPerSecond)),
        p99Ms: of(all, (r) => r.p99Ms),
        cpuMicroseconds: of(all, (r) => r.cpuMicroseconds),
      },
    ]),
  )
}
