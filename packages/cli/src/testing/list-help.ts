import {
  type Application,
  type CommandContext,
  generateHelpTextForAllCommands,
} from '@stricli/core'
import { createApp } from '../app.ts'
import { loadTargets } from '../find-command.ts'

/** Returns the help of every command by its name: `signalbox keys create`. */
export async function listHelp(): Promise<ReadonlyMap<string, string>> {
  const plain = { json: false, color: false, verbose: false, words: [], program: 'signalbox' }
  const app = createApp({ ...plain, targets: await loadTargets() })
  // Help is made without running anything.
  return new Map(generateHelpTextForAllCommands(app as unknown as Application<CommandContext>))
}
