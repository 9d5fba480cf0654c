import { showSettings } from '../settings.ts'
import type { Command } from './command.ts'

/** Prints every setting with its source and its masked value. */
export const showEnvironment: Command = async ({ json, terminal }) => {
  const settings = showSettings()
  if (json) {
    terminal.out(JSON.stringify({ settings }))
    return 0
  }
  const width = Math.max(...settings.map(({ name }) => name.length))
  for (const { name, source, value } of settings) {
    const shown = source === 'default' ? `(default: ${value})` : `${value}  [${source}]`
    terminal.out(`${name.padEnd(width)}  ${shown}`)
  }
  return 0
}
