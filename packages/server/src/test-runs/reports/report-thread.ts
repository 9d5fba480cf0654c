import { Worker } from 'node:worker_threads'
import type { Problem } from '@signalbox/contract'
import type { TestReport } from './test-report.ts'

/** Describes a report that a thread is to read. */
export interface WorkerRequest {
  readonly contentType: string | undefined
  readonly bytes: Uint8Array
}

/** Describes what a thread read, or the problem of the report. */
export type WorkerAnswer =
  | { readonly report: TestReport }
  | { readonly problem: Pick<Problem, 'code' | 'errors'> & { readonly detail: string } }

/** Describes the outcome of a request; `late` and `exhausted` end the thread. */
export type ThreadOutcome = WorkerAnswer | 'late' | 'exhausted' | 'closed'

/** Reads reports in a thread, one at a time. */
export interface ReportThread {
  /** @throws what the thread died of, which is a bug. */
  ask(request: WorkerRequest, limitMs: number): Promise<ThreadOutcome>
  end(): Promise<void>
}

/** A report of 20 MB takes a third of it. */
const heapMiBMax = 768
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

/** Sources run as they are; only the build has JavaScript. */
const isSource = import.meta.url.endsWith('.ts')
const script = new URL(`./report-worker.${isSource ? 'ts' : 'js'}`, import.meta.url)

/** Starts a thread that reads reports. */
export function startReportThread(): ReportThread {
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: heapMiBMax },
    ...(isSource && { execArgv: ['--conditions=@signalbox/source', '--no-warnings'] }),
  })
  // A thread that waits for work keeps no process alive.
  worker.unref()
  return {
    ask: (request, limitMs) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer)
          worker.off('message', onMessage).off('error', onError).off('exit', onExit)
          finish()
        }
        const onMessage = (answer: WorkerAnswer) => settle(() => resolve(answer))
        const onExit = () => settle(() => resolve('closed'))
        const onError = (error: unknown) =>
          settle(() =>
            Reflect.get(Object(error), 'code') === outOfMemory
              ? resolve('exhausted')
              : reject(error),
          )
        const timer = setTimeout(() => settle(() => resolve('late')), limitMs)
        worker.on('message', onMessage).on('error', onError).on('exit', onExit)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(request)
      }),
    end: async () => void (await worker.terminate()),
  }
}
