import type { TestProject } from 'vitest/node'
import { bundleProgram } from './bundle-program.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The main file of the command line, of few pieces. */
    commandLine: string
    /** The library `@signalbox/config`, which definitions import. */
    configLibrary: string
  }
}

const outside = new Set(['jiti', '@clack/prompts', 'undici'])

/** Puts the command line together once, for all tests that start it, and the library that definitions import. */
export default async function setup(project: TestProject): Promise<void> {
  const external = (name: string) => outside.has(name)
  project.provide('commandLine', await bundleProgram({ package: 'cli', external }))
  const library = await bundleProgram({ package: 'config', entry: 'index', external })
  project.provide('configLibrary', library)
}
