import { importSources, type ImportSource } from '@signalbox/contract'
import {
  adoptStoredKeys,
  createToIssue,
  ExportError,
  importers,
  recognizeSource,
  type ReadExport,
} from '@signalbox/cli/importers'

/** Describes an export that its reader understands. */
export interface OpenedExport {
  readonly source: ImportSource
  readonly text: string
  /** Names its environments as the product does. One that is about one environment has one without a name. */
  readonly environments: readonly string[]
  /** Counts the keys that can be imported, and the entries that cannot. */
  readonly keys: number
  readonly leftOut: number
}

/** Describes why an export cannot be read. */
export interface UnreadableExport {
  readonly violation: string
  /** Names the product whose export the text looks like instead. */
  readonly looksLike: ImportSource | undefined
}

/** Stands for the environment of an export that names none. */
const unnamed = ''
/** Marks an environment that a person leaves out, until its values are gone. No environment has a name like it. */
const leftOutMark = ' (left out)'

/** Reads an export as one of `source`, to see what it holds. Nothing of it leaves the browser. */
export function openExport(source: ImportSource, text: string): OpenedExport | UnreadableExport {
  const read = readText(source, text, { environment: unnamed, environments: new Map() })
  if ('violation' in read) return read
  const { keys, leftOut } = read
  if (keys.length === 0 && leftOut.length === 0) {
    return { violation: 'The export has nothing to import.', looksLike: undefined }
  }
  const names = keys.flatMap(({ values }) => values.map(({ environment }) => environment))
  const environments = names.length === 0 ? [unnamed] : [...new Set(names)]
  return { source, text, environments, keys: keys.length, leftOut: leftOut.length }
}

/** Maps each environment of an export to the name of one here. `null`: it is left out. */
export type EnvironmentMap = ReadonlyMap<string, string | null>

/** Describes the keys of a schema that exists. */
type StoredKeys = Parameters<typeof adoptStoredKeys>[1]

/**
 * Reads an export under the names of our environments. It drops the values of environments that are left out, and keys
 * without any other value. For variables, the keys of the schema override guesses.
 */
export function readMapped(
  { source, text, environments }: Pick<OpenedExport, 'source' | 'text' | 'environments'>,
  map: EnvironmentMap,
  stored: StoredKeys | undefined,
): ReadExport | UnreadableExport {
  const names = environments.map(
    (theirs) => [theirs, map.get(theirs) ?? `${theirs}${leftOutMark}`] as const,
  )
  const read = readText(source, text, {
    environment: names.find(([theirs]) => theirs === unnamed)?.[1],
    environments: new Map(names),
  })
  if ('violation' in read) return read
  const prefix = importers.get(source)?.variableCodes
  const adopted =
    prefix === undefined || stored === undefined
      ? read
      : adoptStoredKeys(read, stored, createToIssue(prefix))
  return { ...adopted, keys: adopted.keys.flatMap(withoutLeftOut) }
}

type ImportedKey = ReadExport['keys'][number]

function withoutLeftOut(key: ImportedKey): ImportedKey[] {
  const values = key.values.filter(({ environment }) => !environment.endsWith(leftOutMark))
  if (values.length === 0 && key.values.length > 0) return []
  const issues = key.issues.filter(({ environment }) => !environment?.endsWith(leftOutMark))
  return [{ ...key, values, issues }]
}

type ReadOptions = Parameters<NonNullable<ReturnType<typeof importers.get>>['fromFile']>[1]

function readText(
  source: ImportSource,
  text: string,
  options: ReadOptions,
): ReadExport | UnreadableExport {
  const importer = importers.get(source)
  const fail = (violation: string) => {
    const other = recognizeSource(text)
    return { violation, looksLike: other === source ? undefined : other }
  }
  if (importer === undefined) return fail(`No reader knows ${importSources[source]}.`)
  try {
    return importer.fromFile(text, options)
  } catch (error) {
    // The message of any other error may quote the export, which may hold secrets.
    if (error instanceof ExportError) return fail(error.message)
    return fail('This export can’t be read.')
  }
}

/** Returns the text of a file. Shells of Windows write UTF-16, which begins with a mark. */
export async function readFile(file: Blob): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0xff && second === 0xfe) {
    return new TextDecoder('utf-16le').decode(await file.arrayBuffer())
  }
  return file.text()
}

/** Lists names that mean the same environment almost everywhere. */
const aliases = [
  ['production', 'prod', 'prd', 'live'],
  ['staging', 'stage', 'stg', 'test'],
  ['development', 'dev', 'develop', 'local'],
]

/** Returns the environment here that most likely is `theirs`. `undefined`: a person has to choose. */
export function guessEnvironment(theirs: string, ours: readonly string[]): string | undefined {
  if (theirs === unnamed) return ours.length === 1 ? ours[0] : undefined
  const same = (name: string) => ours.find((one) => one.toLowerCase() === name.toLowerCase())
  const words = aliases.find((list) => list.includes(theirs.toLowerCase())) ?? []
  return [theirs, ...words].map(same).find((name) => name !== undefined)
}

/** Returns whether each environment of an export has a place here or is left out, and no two have the same. */
export function isMapped(theirs: readonly string[], map: EnvironmentMap): boolean {
  const ours = theirs.map((name) => map.get(name))
  const used = ours.filter((name) => typeof name === 'string')
  return !ours.includes(undefined) && used.length > 0 && new Set(used).size === used.length
}
