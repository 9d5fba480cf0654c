import type { TestProject } from 'vitest/node'
import { bundleProgram } from './bundle-program.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The main file of the command line, of few pieces. */
    commandLine: string
    /** The module that runs commands in the process of a test. */
    commandLineModule: string
    /** The library `@signalbox/config`, which definitions import. */
    configLibrary: string
  }
}

const outside = new Set(['jiti', '@clack/prompts', 'undici'])

/** Puts the command line together once, for all tests that start it, and the library that definitions import. */
export default async function setup(project: TestProject): Promise<void> {
  const external = (name: string) => outside.has(name)
  project.provide('commandLine', await bundleProgram({ package: 'cli', external }))
  const module = await bundleProgram({ package: 'cli', entry: 'app', external })
  project.provide('commandLineModule', module)
  const library = await bundleProgram({ package: 'config', entry: 'index', external })
  project.provide('configLibrary', library)
}
