import { readFileSync } from 'node:fs'
import { nearestName } from '@signalbox/contract'
import { clientVariables, settingTable } from './setting-table.ts'

/** Maps the names of environment variables to their values. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Holds the text of a setting, and where it stands. */
export interface SettingText {
  readonly text: string
  readonly source: 'environment' | 'file'
}

/** Reads one setting from `<NAME>`, or from the file that `<NAME>_FILE` names. An empty variable counts as left out. */
export function findSettingText(
  variables: Variables,
  name: string,
  violations: string[],
): SettingText | undefined {
  const direct = variables[name]
  const file = variables[`${name}_FILE`]
  if (direct !== undefined && direct !== '') {
    if (file !== undefined && file !== '') violations.push(`Use ${name} or ${name}_FILE, not both.`)
    return { text: direct, source: 'environment' }
  }
  if (file === undefined || file === '') return undefined
  try {
    return { text: readFileSync(file, 'utf8').trim(), source: 'file' }
  } catch {
    violations.push(`Cannot read ${file}, which ${name}_FILE names.`)
    return undefined
  }
}

/**
 * Reads the texts of all settings that are set. A violation names a variable that is no setting, one that is set twice, or a file that
 * cannot be read.
 */
export function readSettingTexts(variables: Variables, violations: string[]): Map<string, string> {
  violations.push(...unknownVariables(variables))
  const texts = new Map<string, string>()
  for (const { name } of settingTable) {
    const setting = findSettingText(variables, name, violations)
    if (setting !== undefined) texts.set(name, setting.text)
  }
  return texts
}

function unknownVariables(variables: Variables): string[] {
  const known = new Set([
    ...settingTable.flatMap(({ name }) => [name, `${name}_FILE`]),
    ...clientVariables,
  ])
  return Object.keys(variables)
    .filter((name) => name.startsWith('SIGNALBOX_') && !known.has(name))
    .map((name) => {
      const near = nearestName(name, known)
      return `${name} is not a setting. ${near === undefined ? 'List all settings: signalbox env' : `Did you mean ${near}?`}`
    })
}
