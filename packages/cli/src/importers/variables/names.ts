import {
  ExportError,
  requireEnvironment,
  type Importer,
  type ImportedKey,
  type ReadExport,
  type ReadOptions,
} from '../importer.ts'
import { isNested, isObject, parseJson, readText, requireObject } from '../read-json.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type Variable } from './variable.ts'

const toIssue = createToIssue('NAM')

/**
 * Reads names of variables whose values stay where they are, such as the secrets of GitHub Actions, which nobody can read: keys
 * are declared without values. Takes `gh secret list` and `gh variable list`, with `--json name,value` too, the lists of the
 * API, and a name a line.
 */
export const names: Importer = { source: 'names', variableCodes: 'NAM', fromFile: readExport }

interface NamedEntry {
  readonly name: string
  /** Absent: the list has the name alone. */
  readonly value?: string
}

function readExport(text: string, options: ReadOptions): ReadExport {
  // The last entry of a name counts, as the value of a narrower scope does there.
  const entries = new Map(readEntries(text).map((entry) => [entry.name, entry]))
  if (entries.size === 0) throw new ExportError('The list has no name.')
  const hasValues = [...entries.values()].some(({ value }) => value !== undefined)
  const environment = hasValues ? requireEnvironment(options, 'A list with values') : ''
  const variables = [...entries.values()].map(({ name, value }): Variable => {
    const isSecret = value === undefined
    return { name, from: name, value: value ?? 'unknown', isSecret, issues: [] }
  })
  const { keys, leftOut } = toReadExport({ variables, leftOut: [] }, { environment, toIssue })
  const isKnown = ({ from }: ImportedKey) => entries.get(from)?.value !== undefined
  return { keys: keys.map((key) => (isKnown(key) ? key : toDeclared(key))), leftOut }
}

function toDeclared(key: ImportedKey): ImportedKey {
  const done = 'The key is declared, and its value is missing. Set it in each environment.'
  const issue = toIssue('T012', 'medium', 'The list has the name and no value.', done)
  return { ...key, verdict: 'differs', values: [], issues: [...key.issues, issue] }
}

function readEntries(text: string): NamedEntry[] {
  return /^\s*[[{]/.test(text) ? readJsonEntries(text) : readLines(text)
}

function readJsonEntries(text: string): NamedEntry[] {
  const root = parseJson(text)
  const list = isObject(root) ? (root['secrets'] ?? root['variables']) : root
  if (!Array.isArray(list)) {
    throw new ExportError('This is no list of names: gh secret list --json name writes one.')
  }
  return list.map((one: unknown, index) => {
    if (typeof one === 'string') return { name: requireName(one, `[${index}]`) }
    const entry = requireObject(one, `[${index}]`)
    const name = requireName(readText(entry['name'], `[${index}].name`), `[${index}].name`)
    const nested = Object.keys(entry).find((member) => isNested(entry[member]))
    if (nested !== undefined) {
      throw new ExportError(
        `[${index}].${nested} is a list or an object, so this is no list of names. Name the product that it comes from.`,
      )
    }
    const { value } = entry
    if (value === undefined || value === null) return { name }
    return { name, value: readText(value, `[${index}].value`) }
  })
}

/** Reads a name a line. What follows a tab or spaces, such as the date of `gh secret list`, doesn't count. */
function readLines(text: string): NamedEntry[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [name = ''] = line.trim().split(/\s/)
    const isHeader = index === 0 && name === 'NAME'
    if (name === '' || name.startsWith('#') || isHeader) return []
    return [{ name: requireName(name, `Line ${index + 1}`) }]
  })
}

function requireName(name: string, path: string): string {
  if (/^[A-Za-z_][\w.-]*$/.test(name)) return name
  throw new ExportError(`${path} is no name of a variable, such as STRIPE_KEY.`)
}
