import { access } from 'node:fs/promises'

/** Returns whether there is something at `path` that this user can reach. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
