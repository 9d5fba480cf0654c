import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, parseJsonObject } from '../project/json.ts'

/** Lists the scripts that start a program, in the order of preference on the machine of a developer. */
const startScripts = ['dev', 'develop', 'start', 'serve'] as const

/** Returns the command that starts the project in `directory`, by its package.json. Example: `npm run dev`. */
export async function findStartCommand(directory: string): Promise<string> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '{}')
  const { scripts, main } = parseJsonObject(text) ?? {}
  const known = isRecord(scripts) ? scripts : {}
  const script = startScripts.find((name) => typeof known[name] === 'string')
  if (script !== undefined) return `npm run ${script}`
  return `node ${typeof main === 'string' && /^[\w./-]+$/.test(main) ? main : 'server.js'}`
}
