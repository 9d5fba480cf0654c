import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, parseJsonObject } from '../project/json.ts'
import type { DialectName } from './dialects.ts'

const byDependency: readonly (readonly [string, DialectName])[] = [
  ['next', 'next'],
  ['vite', 'vite'],
  ['@dotenvx/dotenvx', 'dotenvx'],
  ['dotenv-expand', 'dotenv-expand'],
]

/** Returns the dialect of the project in `directory`, judged by the dependencies in its package.json. Default `dotenv`. */
export async function detectDialect(directory: string): Promise<DialectName> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '{}')
  const names = dependencyNames(text)
  return byDependency.find(([dependency]) => names.has(dependency))?.[1] ?? 'dotenv'
}

function dependencyNames(text: string): Set<string> {
  const manifest = parseJsonObject(text) ?? {}
  return new Set(
    [manifest['dependencies'], manifest['devDependencies']].flatMap((group) =>
      isRecord(group) ? Object.keys(group) : [],
    ),
  )
}
