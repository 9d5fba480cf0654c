import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether another user can pass through every folder above `path`: a checkout under a private folder is out of its reach. */
export function isReachable(path: string): boolean {
  const above = dirname(path)
  return (statSync(above).mode & 0o001) !== 0 && (above === '/' || isReachable(above))
}
