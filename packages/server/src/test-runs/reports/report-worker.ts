import { parentPort } from 'node:worker_threads'
import { Problem } from '@signalbox/contract'
import { parseReport } from './parse-report.ts'
import type { WorkerAnswer, WorkerRequest } from './report-thread.ts'

/** The thread in which reports are read: the event loop that serves everybody else does not wait for a large one. */
function answer({ contentType, bytes }: WorkerRequest): WorkerAnswer {
  try {
    return { report: parseReport(contentType, Buffer.from(bytes)) }
  } catch (error) {
    // An error loses its class between threads.
    if (!(error instanceof Problem)) throw error
    const { code, message: detail, errors } = error
    return { problem: { code, detail, errors } }
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer(request))
})
