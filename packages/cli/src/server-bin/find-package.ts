import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJsonObject } from '../project/json.ts'

/** The directory of an installed package, looked for as Node does: upwards from each starting directory. */
export async function findPackage(
  name: string,
  startingPoints: readonly string[],
): Promise<string | undefined> {
  for (const start of startingPoints) {
    for (let current = start; ; current = dirname(current)) {
      const directory = join(current, 'node_modules', name)
      if (await hasManifest(directory, name)) return directory
      if (dirname(current) === current) break
    }
  }
  return undefined
}

async function hasManifest(directory: string, name: string): Promise<boolean> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '')
  return parseJsonObject(text)?.['name'] === name
}

/** The first of the paths that exists. */
export async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const found = await access(path).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}
