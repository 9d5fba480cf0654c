import { findSettingFaults, showSettings } from '../settings.ts'
import type { Command } from './command.ts'

/** Prints every setting with its source and its masked value, and the faults for which `start` would refuse them: then it returns 2. */
export const showEnvironment: Command = async ({ json, terminal }) => {
  const settings = showSettings()
  const faults = findSettingFaults()
  if (json) terminal.out(JSON.stringify({ settings, faults }))
  else {
    const width = Math.max(...settings.map(({ name }) => name.length))
    for (const { name, source, value } of settings) {
      const text = source === 'default' ? `(default: ${value})` : `${value}  [${source}]`
      terminal.out(`${name.padEnd(width)}  ${text}`)
    }
    for (const fault of faults) terminal.err(`✗ ${fault}`)
  }
  return faults.length === 0 ? 0 : 2
}
