import {
  isJsonValue,
  looksLikeSecret,
  parseJsonText,
  toEnvName,
  toVariableText,
  variableNameOf,
  type ConfigValue,
  type ImportIssue,
  type Tier,
  type ValueType,
} from '@signalbox/contract'
import type { ImportedKey, LeftOutKey, ReadExport } from '../importer.ts'
import type { ToIssue } from './variable.ts'

/** Describes a key that the schema has. */
export interface StoredKey {
  readonly type: ValueType
  readonly tier: Tier
  /** Names the variable, where the schema does. */
  readonly variable?: string | undefined
}

/**
 * Gives variables the names, types and tiers of the keys that the schema has already. So guesses count for new keys alone, and
 * the files of two environments agree. A value that doesn't fit the stored key is left out.
 */
export function adoptStoredKeys(
  { keys, leftOut }: ReadExport,
  stored: Readonly<Record<string, StoredKey>>,
  toIssue: ToIssue,
): ReadExport {
  const byVariable = new Map(
    Object.entries(stored).map(([key, { variable }]) => [variableNameOf(key, variable), key]),
  )
  const adopted: ImportedKey[] = []
  const all: LeftOutKey[] = [...leftOut]
  for (const imported of keys) {
    const key =
      byVariable.get(variableNameOf(imported.key, imported.variable)) ??
      (Object.hasOwn(stored, imported.key) ? imported.key : byVariable.get(toEnvName(imported.key)))
    const known = key === undefined ? undefined : stored[key]
    if (key === undefined || known === undefined) adopted.push(imported)
    else {
      const result = adopt(imported, { key, ...known }, toIssue)
      if ('leftOut' in result) all.push({ from: imported.from, issues: [result.leftOut] })
      else adopted.push(result)
    }
  }
  return { keys: adopted, leftOut: all }
}

function adopt(
  imported: ImportedKey,
  { key, type, tier, variable }: StoredKey & { readonly key: string },
  toIssue: ToIssue,
): ImportedKey | { readonly leftOut: ImportIssue } {
  const done = 'It is left out.'
  const values: ImportedKey['values'] = []
  for (const { environment, value } of imported.values) {
    const text = toVariableText(value)
    if (tier !== 'secret' && looksLikeSecret(text)) {
      const cause = `${key} is public here, and the value looks like a secret.`
      return { leftOut: toIssue('A002', 'high', cause, done) }
    }
    const parsed = parse(text, type)
    if (parsed === undefined) {
      const cause = `${key} is a ${type} here, and the value is none.`
      return { leftOut: toIssue('A001', 'high', cause, done) }
    }
    values.push({ environment, value: parsed })
  }
  // Guesses of the tier are no news where the key exists.
  const known = imported.issues.filter(({ code }) => !/-V0(?:06|07|10)$/.test(code))
  const issues = [...known, ...findRenaming(imported, variableNameOf(key, variable), toIssue)]
  const verdict = issues.every(({ severity }) => severity === 'low') ? 'exact' : 'differs'
  const { variable: _own, ...others } = imported
  return { ...others, key, type, tier, values, issues, verdict }
}

/** Says that programs get the value under another name than in the other product: that of the key, which exists. */
function findRenaming(imported: ImportedKey, name: string, toIssue: ToIssue): ImportIssue[] {
  const theirs = variableNameOf(imported.key, imported.variable)
  if (theirs === name) return []
  const cause = `The key exists, and programs get it as ${name}, not as ${theirs}.`
  return [toIssue('A003', 'medium', cause, `It keeps the name ${name}.`)]
}

function parse(text: string, type: ValueType): ConfigValue | undefined {
  if (type === 'string') return text
  const trimmed = text.trim()
  if (type === 'boolean')
    return trimmed === 'true' || trimmed === 'false' ? trimmed === 'true' : undefined
  if (type === 'json') {
    const parsed = parseJsonText(trimmed)
    return 'value' in parsed && isJsonValue(parsed.value) ? parsed.value : undefined
  }
  const number = trimmed === '' ? Number.NaN : Number(trimmed)
  return Number.isFinite(number) ? number : undefined
}
