import { readFileSync } from 'node:fs'
import { runLoad, type Load, type LoadResult } from './load.ts'
import { percentile } from './record.ts'

/** Describes the result of one contestant in one round. */
export interface Measured extends LoadResult {
  /** Processor time of the server for one answer: hardly depends on who else is on the machine. */
  readonly cpuMicroseconds: number
}

/** Puts the load on a server and measures what it costs its processes. */
export async function measureLoad(pid: number | readonly number[], load: Load): Promise<Measured> {
  const pids = [pid].flat()
  const sumCpu = () => pids.reduce((sum, each) => sum + cpuSeconds(each), 0)
  const before = sumCpu()
  const result = await runLoad(load)
  const answers = result.requestsPerSecond * load.seconds
  return { ...result, cpuMicroseconds: ((sumCpu() - before) / answers) * 1e6 }
}

/** User and system time of a process, from Linux; elsewhere 0. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}

/** Rounds of the same contestants, each in turn, and every other round backwards: who comes first is not better off. */
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
  }
  return results
}

/** The median over the rounds of what ours are to theirs. */
export function ratios(ours: readonly Measured[], theirs: readonly Measured[]) {
  const of = (pick: (result: Measured) => number) =>
    round(
      percentile(
        ours.map((each, index) => pick(each) / pick(theirs[index] ?? each)),
        0.5,
      ),
    )
  return {
    requestsPerSecond: of((r) => r.requestsPerSecond),
    p99: of((r) => r.p99Ms),
    answersPerCpuSecond: of((r) => 1 / r.cpuMicroseconds),
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000

/** Returns the result of the median round. */
export const median = (results: readonly Measured[]) => ({
  requestsPerSecond: Math.round(
    percentile(
      results.map((r) => r.requestsPerSecond),
      0.5,
    ),
  ),
  p99Ms: round(
    percentile(
      results.map((r) => r.p99Ms),
      0.5,
    ),
  ),
})
