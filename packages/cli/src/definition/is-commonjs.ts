import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJsonObject } from '../project/json.ts'

/**
 * Returns whether Node loads a file as CommonJS, in which `import` is a syntax error. The nearest `package.json`
 * decides: `npm init` writes that type since npm 11. Without a `type` Node looks at the file itself.
 *
 * @see https://nodejs.org/api/packages.html#determining-module-system
 */
export async function isCommonJs(path: string): Promise<boolean> {
  if (/\.m[jt]s$/.test(path)) return false
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return parseJsonObject(text)?.['type'] === 'commonjs'
    if (directory === dirname(directory)) return false
  }
}
