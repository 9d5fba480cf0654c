import { parseAllDocuments } from 'yaml'
import { ExportError, type Importer, type LeftOutKey, requireEnvironment } from '../importer.ts'
import { isObject, readText, requireObject, type JsonObject } from '../read-json.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type ToIssue, type Variable } from './variable.ts'

/** Reads manifests with Secrets and ConfigMaps, as YAML or JSON: several documents, and the lists that kubectl writes. */
export const kubernetes: Importer = {
  source: 'kubernetes',
  variableCodes: 'KUB',
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'A manifest')
    const toIssue = createToIssue('KUB')
    const read = parseManifests(text).map((manifest) => readManifest(manifest, toIssue))
    return toReadExport(
      {
        variables: read.flatMap(({ variables }) => variables),
        leftOut: read.flatMap(({ leftOut }) => leftOut),
      },
      { environment, toIssue },
    )
  },
}

interface Manifest {
  readonly path: string
  readonly kind: string
  readonly name: string
  readonly object: JsonObject
}

function parseManifests(text: string): Manifest[] {
  const documents = parseAllDocuments(text, { prettyErrors: true, uniqueKeys: true })
  const manifests = [...documents].flatMap((document, index) => {
    const [error] = document.errors
    if (error !== undefined) {
      // The message of the parser quotes the line, which may hold a secret.
      const line = error.linePos?.[0].line
      throw new ExportError(`This is no YAML: line ${line ?? 1} can't be read.`)
    }
    const path = documents.length === 1 ? '' : `document ${index + 1}: `
    const root = toPlain(() => document.toJS({ maxAliasCount: 100 }), path)
    return root === null ? [] : toManifests(requireObject(root, `${path}The manifest`), path)
  })
  if (manifests.length > 0) return manifests
  throw new ExportError('The file has no manifest.')
}

function toPlain(read: () => unknown, path: string): unknown {
  try {
    return read()
  } catch {
    throw new ExportError(`${path}An alias can't be resolved.`)
  }
}

function toManifests(object: JsonObject, path: string): Manifest[] {
  const kind = readText(object['kind'], `${path}kind`)
  if (kind === '') throw new ExportError(`${path}kind is missing: this is no manifest.`)
  if (kind.endsWith('List') && Array.isArray(object['items'])) {
    return object['items'].flatMap((item, index) => {
      const own = requireObject(item, `${path}items[${index}]`)
      const withKind = own['kind'] === undefined ? { ...own, kind: kind.slice(0, -4) } : own
      return toManifests(withKind, `${path}items[${index}].`)
    })
  }
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  return [{ path, kind, name: readText(metadata['name'], `${path}metadata.name`), object }]
}

interface ReadManifest {
  readonly variables: readonly Variable[]
  readonly leftOut: readonly LeftOutKey[]
}

/** Matches the types of Secrets that the cluster makes for itself. */
const ownType =
  /^(?:kubernetes\.io\/(?:service-account-token|dockercfg|dockerconfigjson)|bootstrap\.kubernetes\.io\/token|helm\.sh\/release\.v1)$/

function readManifest(manifest: Manifest, toIssue: ToIssue): ReadManifest {
  const { kind, name, object } = manifest
  const from = `${kind} ${name}`.trim()
  if (kind !== 'Secret' && kind !== 'ConfigMap') {
    const severity = kind.includes('Secret') ? 'high' : 'low'
    const issue = toIssue('T007', severity, `It is a ${kind}.`, 'It is left out.')
    return { variables: [], leftOut: [{ from, issues: [issue] }] }
  }
  const type = typeof object['type'] === 'string' ? object['type'] : ''
  if (ownType.test(type) || name === 'kube-root-ca.crt') {
    const cause = 'It serves the cluster, not an application.'
    const issue = toIssue('T008', 'low', cause, 'It is left out.')
    return { variables: [], leftOut: [{ from, issues: [issue] }] }
  }
  return readValues(manifest, from, toIssue)
}

function readValues({ path, kind, object }: Manifest, from: string, toIssue: ToIssue) {
  const isSecret = kind === 'Secret'
  const variables: Variable[] = []
  const leftOut: LeftOutKey[] = []
  const texts = isSecret ? readMembers(object, 'stringData', path) : []
  const overridden = new Set(texts.map(([name]) => name))
  for (const [name, text] of readMembers(object, 'data', path)) {
    if (overridden.has(name)) continue
    const value = isSecret ? decode(text, `${path}data.${name}`) : text
    if (value === undefined) leftOut.push(toBinary(`${from}: ${name}`, toIssue))
    else texts.push([name, value])
  }
  for (const [name, value] of texts) {
    const cause = 'The value ends with a line break.'
    const issues = /^[^\n]+\n$/.test(value)
      ? [toIssue('T009', 'low', cause, 'It is taken as it is.')]
      : []
    variables.push({ name, from: `${from}: ${name}`, value, isSecret, issues })
  }
  for (const name of Object.keys(isObject(object['binaryData']) ? object['binaryData'] : {})) {
    leftOut.push(toBinary(`${from}: ${name}`, toIssue))
  }
  return { variables, leftOut }
}

function readMembers(object: JsonObject, member: string, path: string): [string, string][] {
  const values = object[member]
  if (values === undefined || values === null) return []
  return Object.entries(requireObject(values, `${path}${member}`)).map(([name, value]) => {
    if (value === null) return [name, '']
    if (typeof value === 'string') return [name, value]
    throw new ExportError(`${path}${member}.${name} is no text. Put it in quotes.`)
  })
}

/** Matches base64 with its padding: nothing that a decoder would pass over. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Returns the text of a value in base64. `undefined`: it is binary. @throws {ExportError} with its path */
function decode(text: string, path: string): string | undefined {
  const digits = text.replaceAll(/\s/g, '')
  if (!base64.test(digits)) throw new ExportError(`${path} is no base64.`)
  const bytes = Uint8Array.from(atob(digits), (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function toBinary(from: string, toIssue: ToIssue): LeftOutKey {
  return { from, issues: [toIssue('T002', 'high', 'The value is binary.', 'It is left out.')] }
}
