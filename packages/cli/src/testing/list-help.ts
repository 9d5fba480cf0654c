import {
  type Application,
  type CommandContext,
  generateHelpTextForAllCommands,
} from '@stricli/core'
import { createApp } from '../app.ts'
import { routes } from '../routes.ts'

/** Returns the help of every command by its name: `signalbox keys create`. */
export async function listHelp(): Promise<ReadonlyMap<string, string>> {
  const plain = { json: false, color: false, verbose: false, words: [], program: 'signalbox' }
  const targets = await Promise.all(
    Object.entries(routes).map(async ([word, load]) => [word, await load()] as const),
  )
  const app = createApp({ ...plain, targets: Object.fromEntries(targets) })
  // Help is made without running anything.
  return new Map(generateHelpTextForAllCommands(app as unknown as Application<CommandContext>))
}
