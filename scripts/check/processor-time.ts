import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second for programs. */
const ticksPerSecond = 100
const sampledEachMs = 250

/** Measures what a step costs. */
export interface ProcessorMeter {
  /** Returns the processor seconds of all that was started meanwhile; `undefined` on systems other than Linux. */
  stop(): number | undefined
}

/**
 * Starts to measure. The kernel counts what has a parent, when that ends. What outlives its parent belongs to nobody afterwards,
 * as PostgreSQL does when a service is killed: so our processes are looked for four times a second, and those that have lost
 * their parents are counted here. A cgroup would count all of it, and takes rights that few machines give.
 */
export function startMeter(): ProcessorMeter {
  if (process.platform !== 'linux') return { stop: () => undefined }
  const before = readProcess('self')?.ofChildren ?? 0
  const ours = new Set<string>()
  const orphans = new Map<string, number>()
  const sample = () => {
    for (const [orphan, ticks] of addUpOrphans(ours)) orphans.set(orphan, ticks)
  }
  const timer = setInterval(sample, sampledEachMs)
  return {
    stop() {
      clearInterval(timer)
      sample()
      const ofChildren = (readProcess('self')?.ofChildren ?? 0) - before
      return [...orphans.values()].reduce((sum, ticks) => sum + ticks, ofChildren) / ticksPerSecond
    },
  }
}

interface Process {
  /** Tells it from a later process with the same number. */
  readonly name: string
  readonly parent: string
  readonly own: number
  /** Holds the ticks of its children that have ended, and of theirs. */
  readonly ofChildren: number
}

function readProcess(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program may hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, ofUser = 0, ofSystem = 0] = fields.slice(11, 15).map(Number)
    const name = `${pid} since ${fields[19]}`
    return { name, parent: fields[1] ?? '', own: user + system, ofChildren: ofUser + ofSystem }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/** Adds up the ticks of each of our processes that has lost its parent, with all below it. Notes in `ours` which are. */
function addUpOrphans(ours: Set<string>): ReadonlyMap<string, number> {
  const processes = new Map<string, Process>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const found = readProcess(pid)
    if (found !== undefined) processes.set(pid, found)
  }
  const sums = new Map<string, number>()
  for (const [pid, one] of processes) {
    const line = listAncestors(processes, pid)
    if (line.some(({ name }) => name === processes.get(String(process.pid))?.name)) {
      ours.add(one.name)
      continue
    }
    const top = line.findLast(({ name }) => ours.has(name))
    if (top !== undefined) sums.set(top.name, (sums.get(top.name) ?? 0) + one.own + one.ofChildren)
  }
  return sums
}

/** Lists a process, its parent, and so on. */
function listAncestors(processes: ReadonlyMap<string, Process>, pid: string): readonly Process[] {
  const line: Process[] = []
  for (let at = processes.get(pid); at !== undefined; at = processes.get(at.parent)) line.push(at)
  return line
}
