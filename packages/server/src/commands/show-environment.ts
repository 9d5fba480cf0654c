import { findSettingViolations, showSettings } from '../settings.ts'
import type { Command } from './command.ts'

/** Prints every setting with its source and its masked value, and the violations for which `start` would refuse them: then it returns 2. */
export const showEnvironment: Command = async ({ variables, json, terminal }) => {
  const settings = showSettings(variables)
  const violations = findSettingViolations(variables)
  if (json) terminal.out(JSON.stringify({ settings, violations }))
  else {
    const width = Math.max(...settings.map(({ name }) => name.length))
    for (const { name, source, value } of settings) {
      const text = source === 'default' ? `(default: ${value})` : `${value}  [${source}]`
      terminal.out(`${name.padEnd(width)}  ${text}`)
    }
    for (const violation of violations) terminal.err(`✗ ${violation}`)
  }
  return violations.length === 0 ? 0 : 2
}
