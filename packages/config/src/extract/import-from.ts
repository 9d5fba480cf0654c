import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Resolve } from './extraction.ts'

/** Imports packages as the file at `path` would, so that a validator and its converter come from the same copy of the library. */
export function importFrom(path: string): Resolve {
  const require = createRequire(path)
  return async (specifier) => {
    let file: string
    try {
      file = require.resolve(specifier)
    } catch {
      // Not found from there, or only for `import`: then resolve from this package.
      return import(specifier)
    }
    return import(pathToFileURL(file).href)
  }
}
