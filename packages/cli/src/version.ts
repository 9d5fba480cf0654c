import { readFileSync } from 'node:fs'
import { parseJsonObject } from './project/json.ts'

/** Returns the version of this package. */
export function cliVersion(): string {
  const manifest = parseJsonObject(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const version = manifest?.['version']
  return typeof version === 'string' ? version : '0.0.0'
}
