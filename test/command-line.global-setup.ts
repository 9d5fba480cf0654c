import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The main file of the command line, of one piece. */
    commandLine: string
  }
}

const packageDirectory = join(import.meta.dirname, '../packages/cli')
/** Below the package by one directory, as its sources are: it looks for its `package.json` and for packages from there. */
const directory = join(packageDirectory, '.cache')
const dayMs = 86_400_000

/**
 * Puts the sources of the command line together in one file. Tests start it hundreds of times as a process of its own, and
 * to find 160 files takes as long as all the rest.
 */
export default async function setup(project: TestProject): Promise<void> {
  const bundle = await rolldown({
    input: join(packageDirectory, 'src/main.ts'),
    platform: 'node',
    external: ['jiti', '@clack/prompts', 'undici'],
    resolve: { conditionNames: ['@signalbox/source', 'node', 'import', 'default'] },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    codeSplitting: false,
    // It knows by its name that it runs from the sources, and starts the service from there too.
    entryFileNames: 'main-[hash].ts',
  })
  await bundle.close()
  const [main] = output
  const path = join(directory, main.fileName)
  await mkdir(directory, { recursive: true })
  await removeOld()
  // Another run may be reading it.
  await writeFile(`${path}.${process.pid}`, main.code)
  await rename(`${path}.${process.pid}`, path)
  project.provide('commandLine', path)
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > dayMs) await rm(path, { force: true })
  }
}
