import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  fingerprintSecrets,
  scanFile,
  type BuiltFile,
  type Leak,
  type SecretPatterns,
} from '@signalbox/config/leak-scan'
import type { Rolldown } from 'vite'

/** Returns everything that a build is about to write, source maps included. */
export function filesOfBundle(bundle: Rolldown.OutputBundle): BuiltFile[] {
  return Object.values(bundle).flatMap((file): BuiltFile[] => {
    if (file.type === 'asset') return [{ path: file.fileName, content: file.source }]
    const map =
      file.map === null ? [] : [{ path: `${file.fileName}.map`, content: JSON.stringify(file.map) }]
    return [{ path: file.fileName, content: file.code }, ...map]
  })
}

/** Returns the files that Vite copies unchanged. */
export function filesOfFolder(folder: string): BuiltFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, content: readFileSync(path) }))
}

/** Returns the leaks of `files`, each position once: a map may be in the bundle and beside its chunk. */
export function findLeaks(
  files: readonly BuiltFile[],
  patterns: readonly SecretPatterns[],
): Leak[] {
  const leaks = files.flatMap((file) => patterns.flatMap((each) => scanFile(file, each)))
  return [...new Map(leaks.map((leak) => [JSON.stringify(leak), leak])).values()]
}

/** Holds names and values of secrets. */
export interface KnownSecrets {
  readonly names: readonly string[]
  readonly values: Parameters<typeof fingerprintSecrets>[0]
}

/** Returns what to look for. Values are forgotten here. */
export function toSecretPatterns({
  names,
  values,
}: KnownSecrets): SecretPatterns & { readonly values: NonNullable<SecretPatterns['values']> } {
  return { names, values: fingerprintSecrets(values) }
}
