import { readdir, readFile, readlink } from 'node:fs/promises'

/** Lists the processes that `pid` has started. */
export async function listChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Counts the open sockets of each process. */
export async function countSockets(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const counts = pids.map(async (pid): Promise<[number, number]> => {
    const names = await readdir(`/proc/${pid}/fd`)
    const links = names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))
    return [pid, (await Promise.all(links)).filter((link) => link.startsWith('socket:')).length]
  })
  return new Map(await Promise.all(counts))
}

/** Returns whether a process has ended. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
