import { type Sandbox, startSandbox } from '@signalbox/sandbox'

/** The pretended providers, for tests of packages that have nothing else to do with them. */
export function openSandbox(): Promise<Sandbox> {
  return startSandbox()
}

export type { Sandbox }
