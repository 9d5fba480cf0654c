import process from 'node:process'
import { mainPath, type TestDirectory } from './run-cli.ts'
import { typeInTerminal, type Step, type TerminalResult } from './type-in-terminal.ts'

/** Runs the command on a pseudo-terminal and types the answers. */
export function runInTerminal(
  directory: TestDirectory,
  args: readonly string[],
  steps: readonly Step[],
): Promise<TerminalResult> {
  const words = [
    process.execPath,
    '--conditions=@signalbox/source',
    mainPath,
    '--cwd',
    directory.directory,
    ...args,
  ]
  const line = `exec ${words.map((word) => `'${word}'`).join(' ')}`
  return typeInTerminal(directory, line, steps)
}
