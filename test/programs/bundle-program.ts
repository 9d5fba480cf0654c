import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const packages = join(import.meta.dirname, '../../packages')
const dayMs = 86_400_000

export interface BundledProgram {
  readonly package: 'cli' | 'config' | 'server'
  /** Names its file in `src`. Default: `main`. */
  readonly entry?: string
  /** Says which modules stay outside. */
  readonly external: (name: string) => boolean
}

/**
 * Puts the sources of a program together in few files, and returns the main one. Tests start programs hundreds of times, and to find
 * hundreds of sources takes as long as all the rest. Each module still has the address of its source, so it finds the files of
 * its package, and knows that it runs from the sources.
 */
export async function bundleProgram({
  package: name,
  entry = 'main',
  external,
}: BundledProgram): Promise<string> {
  const bundle = await rolldown({
    input: join(packages, name, `src/${entry}.ts`),
    platform: 'node',
    external,
    resolve: { conditionNames: ['@signalbox/source', 'node', 'import', 'default'] },
    plugins: [keepAddresses],
    // Either would take away a call of `decodeURIComponent` that is made to see whether it throws.
    treeshake: false,
  })
  const { output } = await bundle.generate({ format: 'esm', minify: false })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const hash = createHash('sha256')
  for (const { code } of chunks) hash.update(code)
  const cache = join(packages, name, '.cache')
  const directory = join(cache, hash.digest('hex').slice(0, 16))
  // Another run may be reading it.
  const made = `${directory}.${process.pid}`
  await mkdir(made, { recursive: true })
  await removeOld(cache)
  for (const { fileName, code } of chunks) await writeFile(join(made, fileName), code)
  await rename(made, directory).catch(() => rm(made, { recursive: true }))
  await utimes(directory, new Date(), new Date())
  return join(directory, `${entry}.js`)
}

const keepAddresses = {
  name: 'keep-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code: string, path: string) =>
      code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
  },
}

async function removeOld(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}
