import { statfs } from 'node:fs/promises'
import type { ReadinessCheck } from './readiness.ts'

/** PostgreSQL makes files of so many bytes before it goes on. */
const fullBelow = 16 * 1024 * 1024
/** The alert begins at the same share. */
const lowBelow = 0.1

/** Holds how much room a disk has, in bytes. */
export interface DiskSpace {
  readonly free: number
  readonly size: number
}

/** Reads how much room the disk of a directory has. */
export async function readDiskSpace(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** Describes the database with the disk on which it is: one that answers may have no room to write. */
export function describeDisk(storage: ReadinessCheck, { free, size }: DiskSpace): ReadinessCheck {
  if (!storage.ok) return storage
  if (free < fullBelow) {
    const detail =
      'The disk of the data directory is full: reads are answered, writes are refused with `storage_full`. Free some space.'
    return { ok: false, detail }
  }
  if (free / size >= lowBelow) return storage
  const detail = `${storage.detail} The disk of the data directory has ${Math.floor((free * 100) / size)}% left, ${Math.floor(free / 1024 ** 2)} MiB.`
  return { ok: true, detail, warning: true }
}
