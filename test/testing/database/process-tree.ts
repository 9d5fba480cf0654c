import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../../../packages/server/src/store/embedded/server-process.ts'

/** Kills a program and every process that it started, at once, and waits for its end: none of them can write any more. */
export async function killTree(pid: number): Promise<void> {
  const children = await childrenOf(pid)
  // Stopped first, it starts no replacement for a child that dies before it.
  signalIfThere(pid, 'SIGSTOP')
  for (const each of [...children, pid]) signalIfThere(each, 'SIGKILL')
  while (await isAlive(pid)) await delay(2)
}

/** Halts a program and every process that it started, or lets them go on: it keeps its connections and says nothing. */
export async function freezeTree(pid: number, isFrozen: boolean): Promise<void> {
  const signal = isFrozen ? 'SIGSTOP' : 'SIGCONT'
  if (isFrozen) signalIfThere(pid, signal)
  for (const each of await childrenOf(pid)) signalIfThere(each, signal)
  if (!isFrozen) signalIfThere(pid, signal)
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The processes that `pid` started. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}
