import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../telemetry/log.ts'
import { removeWhole, writeWholeFile } from './whole-file.ts'

/**
 * Writes files behind the back of whoever asks: an event to its readers never waits for a disk.
 * What is asked of one path is done in order, and of several contents for it only the last is written.
 */
export interface WriteQueue {
  /** `render` is called when its turn comes. */
  write(path: string, render: () => string): void
  /** Removes a file, or a directory together with what was to be written into it. */
  remove(path: string): void
  /** Resolves when all that was asked before is done. Never rejects: a full disk costs the cache, not the service. */
  flush(): Promise<void>
}

type Task = { readonly kind: 'write'; readonly render: () => string } | { readonly kind: 'remove' }

const atOnce = 8

export function createWriteQueue(log: Log): WriteQueue {
  const waiting = new Map<string, Task>()
  const running = new Set<string>()
  const idle = new Set<() => void>()
  const run = createRunner(log)

  const next = () => {
    const passedOver: string[] = []
    for (const [path, task] of waiting) {
      if (running.size >= atOnce) break
      const before = [...running, ...passedOver]
      if (before.some((other) => touches(path, other))) {
        passedOver.push(path)
        continue
      }
      waiting.delete(path)
      running.add(path)
      void runAndGoOn(path, task)
    }
    if (waiting.size > 0 || running.size > 0) return
    for (const resolve of idle) resolve()
    idle.clear()
  }
  const runAndGoOn = async (path: string, task: Task) => {
    await run(path, task)
    running.delete(path)
    next()
  }
  const put = (path: string, task: Task) => {
    // Asked last, done last.
    waiting.delete(path)
    waiting.set(path, task)
    next()
  }
  return {
    write: (path, render) => put(path, { kind: 'write', render }),
    remove(path) {
      for (const other of waiting.keys()) {
        if (other.startsWith(`${path}/`)) waiting.delete(other)
      }
      put(path, { kind: 'remove' })
    },
    flush: () =>
      waiting.size === 0 && running.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idle.add(resolve)
          }),
  }
}

/** Does one task. The first failure in a row is reported. */
function createRunner(log: Log): (path: string, task: Task) => Promise<void> {
  let failing = false
  return async (path, task) => {
    try {
      if (task.kind === 'remove') {
        await removeWhole(path)
      } else {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeWholeFile(path, task.render())
      }
      failing = false
    } catch (error) {
      if (!failing) log.warn('The disk cache cannot be written', { path, error })
      failing = true
    }
  }
}

/** Whether two paths are the same, or one is in the other. */
function touches(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
}
