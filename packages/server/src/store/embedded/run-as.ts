import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Names the user that PostgreSQL runs as. `undefined`: the user of this process. */
export type RunAs = { readonly uid: number; readonly gid: number } | undefined

/** Names `nobody` and its group on Linux: PostgreSQL refuses to run as root, and we create no account. */
export const unprivileged = { uid: 65_534, gid: 65_534 } as const

/** Chooses the user PostgreSQL runs as: an unprivileged one when this process is root. */
export function chooseRunAs(): RunAs {
  return process.getuid?.() === 0 ? unprivileged : undefined
}

const bits = { search: 1, read: 4 } as const

async function allows(path: string, user: NonNullable<RunAs>, required: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  if (uid === user.uid) return ((mode >> 6) & required) === required
  if (gid === user.gid) return ((mode >> 3) & required) === required
  return (mode & required) === required
}

/** Returns whether `user` may pass through every directory down to and including `directory`, which exists. */
export async function canReach(directory: string, user: RunAs): Promise<boolean> {
  if (user === undefined) return true
  let path = resolve(directory)
  for (;;) {
    if (!(await allows(path, user, bits.search))) return false
    const parent = dirname(path)
    if (parent === path) return true
    path = parent
  }
}

/** Returns whether `user` may reach and read the existing file or directory `path`. */
export async function canRead(path: string, user: RunAs): Promise<boolean> {
  if (user === undefined) return true
  return (await canReach(dirname(path), user)) && (await allows(path, user, bits.read))
}
