import { takeRandomFraction } from '../../crypto/random.ts'
import {
  reportLimits,
  type NodeReport,
  type ReplicaReport,
  type ReportedUse,
} from '../../replica/report.ts'
import type { Log } from '../../telemetry/log.ts'
import type { KeyUse } from '../http/key-uses.ts'

/** Reports each minute how this node is and which API keys were used at it, and passes on what nodes below it report. */
export interface Reporter {
  /** Takes the report of a node below, which goes on with the next one of this node. */
  take(report: ReplicaReport): void
  /** Sends a report now. Rejects when it is not taken; what was used then goes into the next one. */
  flush(): Promise<void>
  /** Reports once `isReady` has resolved, and from then on after each interval. */
  start(isReady: Promise<unknown>): void
  /** Sends a last report, which says that the node stops. */
  close(): Promise<void>
}

/** Lists what a reporter reads, and what takes its reports. */
export interface ReporterDeps {
  readonly describe: () => Omit<NodeReport, 'stopping' | 'agoSeconds'>
  /** Returns the uses since the last call. */
  readonly takeUses: () => Iterable<KeyUse>
  /** Sends a report, whatever carries it. */
  readonly send: (report: ReplicaReport) => Promise<void>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** Default 60,000, give or take a fifth. */
  readonly intervalMs?: number
}

/** Limits the uses that wait while no report is taken, one for each key. */
const waitingMax = 5_000

/** Holds the latest use of each key until it is sent. */
function createWaitingUses() {
  const uses = new Map<string, ReportedUse>()
  return {
    note(use: ReportedUse) {
      const known = uses.get(use.keyId)
      if (known === undefined && uses.size >= waitingMax) return
      uses.set(use.keyId, known === undefined ? use : joinUses(known, use))
    },
    list: () => [...uses.values()],
    /** Forgets uses that were sent, and none that came meanwhile. */
    forget(sent: readonly ReportedUse[]) {
      for (const use of sent) {
        const current = uses.get(use.keyId)
        if (current === use) uses.delete(use.keyId)
        else if (current !== undefined) uses.set(use.keyId, withoutReads(current, use))
      }
    },
  }
}

/** Returns a use without the reads that were sent with an earlier one. */
function withoutReads(
  { secretReads = 0, ...current }: ReportedUse,
  sent: ReportedUse,
): ReportedUse {
  const left = secretReads - (sent.secretReads ?? 0)
  return { ...current, ...(left > 0 && { secretReads: left }) }
}

/** Returns the later of two uses of a key, with the reads of both. */
function joinUses(one: ReportedUse, other: ReportedUse): ReportedUse {
  const secretReads = (one.secretReads ?? 0) + (other.secretReads ?? 0)
  const usedAtMs = Math.max(one.usedAtMs, other.usedAtMs)
  return { ...one, usedAtMs, ...(secretReads > 0 && { secretReads }) }
}

interface Below {
  readonly node: NodeReport
  readonly takenAtMs: number
}

/** Creates a reporter that sends nothing until it is started or asked to. */
export function createReporter(deps: ReporterDeps): Reporter {
  const { describe, takeUses, send, now, intervalMs = 60_000 } = deps
  const uses = createWaitingUses()
  const below = new Map<string, Below>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let last: Promise<void> = Promise.resolve()

  const sendAll = async (stopping: boolean) => {
    for (const { orgId, keyId, usedAt, secretReads } of takeUses()) {
      uses.note({ orgId, keyId, usedAtMs: usedAt.getTime(), ...(secretReads && { secretReads }) })
    }
    const nowMs = now().getTime()
    const passedOn = [...below]
    const waiting = uses.list()
    const own = { ...describe(), stopping, agoSeconds: 0 }
    const nodes = [own, ...passedOn.map(([, taken]) => age(taken, nowMs))]
    const first = waiting.splice(0, reportLimits.uses)
    await sendPart({ nodes, uses: first })
    for (const [name, taken] of passedOn) if (below.get(name) === taken) below.delete(name)
    while (waiting.length > 0) {
      await sendPart({ nodes: [], uses: waiting.splice(0, reportLimits.uses) })
    }
  }
  const sendPart = async (report: ReplicaReport) => {
    await send(report)
    uses.forget(report.uses)
  }
  /** One after the other, so that no use is sent twice at a time. */
  const flush = (stopping = false) => {
    const sending = last.then(() => sendAll(stopping))
    last = sending.catch(() => undefined)
    return sending
  }
  const flushAndWarn = createWarning(deps.log)
  const tick = async () => {
    if (isClosed) return
    await flushAndWarn(flush)
    timer = setTimeout(() => void tick(), intervalMs * (0.8 + takeRandomFraction() * 0.4)).unref()
    if (isClosed) clearTimeout(timer)
  }
  return {
    take(report) {
      for (const use of report.uses) uses.note(use)
      const takenAtMs = now().getTime()
      for (const node of report.nodes) {
        // Nodes that are new wait for the next report when this one is full.
        const isFull = below.size >= reportLimits.nodes - 1 && !below.has(node.name)
        if (!isFull) below.set(node.name, { node, takenAtMs })
      }
    },
    flush: () => flush(),
    start: (isReady) => void isReady.then(tick, tick),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await flushAndWarn(() => flush(true))
    },
  }
}

function age({ node, takenAtMs }: Below, nowMs: number): NodeReport {
  const waitedSeconds = Math.max(0, (nowMs - takenAtMs) / 1000)
  return { ...node, agoSeconds: node.agoSeconds + waitedSeconds }
}

/** Logs the first of several failures. */
function createWarning({ warn }: Pick<Log, 'warn'>) {
  let isFailing = false
  return async (work: () => Promise<void>) => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) warn('Could not report the state of this node', { error })
      isFailing = true
    }
  }
}
