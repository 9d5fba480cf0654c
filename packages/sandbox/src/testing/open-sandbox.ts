import { afterAll, afterEach } from 'vitest'
import type { Sandbox } from '../sandbox.ts'
import { startSandbox } from '../start-sandbox.ts'

/** Starts a sandbox for the tests of a file: it is reset after each of them, and closed after the last. */
export async function openSandbox(): Promise<Sandbox> {
  const sandbox = await startSandbox()
  afterEach(() => sandbox.reset())
  afterAll(() => sandbox.close())
  return sandbox
}
