import { generateHelpTextForAllCommands } from '@stricli/core'
import { createApp } from '../app.ts'

/** Returns the help of every command by its name: `signalbox keys create`. */
export function listHelp(): ReadonlyMap<string, string> {
  return new Map(
    generateHelpTextForAllCommands(
      createApp({ json: false, color: false, verbose: false, words: [], program: 'signalbox' }),
    ),
  )
}
