import { spawnSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const isRoot = process.getuid?.() === 0
const namespaces = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount']

/** Says why no program can have a disk of its own; empty where it can. */
export const diskMissing = findWhyNot()

function findWhyNot(): string {
  const { error, status, stderr } = spawnSync('unshare', [...namespaces, 'true'], {
    encoding: 'utf8',
  })
  return status === 0 ? '' : ` (skipped: unshare: ${error?.message ?? stderr.trim()})`
}

/** Returns the command that runs another one with a small disk of its own at a folder. It is gone when that ends. */
export function onOwnDisk(
  { folder, megabytes }: { readonly folder: string; readonly megabytes: number },
  command: readonly string[],
): string[] {
  const mount = 'mount -t tmpfs -o "size=$0m" tmpfs "$1" && shift && exec "$@"'
  return ['unshare', ...namespaces, 'sh', '-c', mount, String(megabytes), folder, ...command]
}

/** Leaves no room on the disk of a running program, or makes room again. */
export async function fillDisk(pid: number, folder: string, isFull: boolean): Promise<void> {
  const seen = join(`/proc/${pid}/root`, folder)
  const filler = join(seen, 'filler')
  if (!isFull) return rm(filler)
  const { bavail, bsize } = await statfs(seen)
  // The program may write at the same moment: then it is full before all of this is on it.
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error
  })
}
