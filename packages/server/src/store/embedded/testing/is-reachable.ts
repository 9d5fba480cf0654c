import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns whether another user can pass through every folder above `path`, which fails below a private one. */
export function isReachable(path: string): boolean {
  const above = dirname(path)
  return (statSync(above).mode & 0o001) !== 0 && (above === '/' || isReachable(above))
}
