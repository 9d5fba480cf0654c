import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exists } from '../project/exists.ts'
import { assertTrusted, type Trust } from '../project/file-owner.ts'
import { parseJsonObject } from '../project/json.ts'

/**
 * Returns the directory of an installed package. It searches as Node does: upwards from each starting directory.
 *
 * @throws {CliError} `foreign_file` when another user owns it, because its code is about to run
 */
export async function findPackage(
  name: string,
  startingPoints: readonly string[],
  trust: Trust,
): Promise<string | undefined> {
  for (const start of startingPoints) {
    for (let current = start; ; current = dirname(current)) {
      const directory = join(current, 'node_modules', name)
      if (await hasManifest(directory, name)) {
        await assertTrusted(join(directory, 'package.json'), trust)
        return directory
      }
      if (dirname(current) === current) break
    }
  }
  return undefined
}

async function hasManifest(directory: string, name: string): Promise<boolean> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '')
  return parseJsonObject(text)?.['name'] === name
}

/** Returns the first of the paths that exists. */
export async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await exists(path)) return path
  }
  return undefined
}
