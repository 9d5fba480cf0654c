import { readEach } from '../alternatives.ts'
import {
  ExportError,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  requireEnvironment,
} from '../importer.ts'
import { Issues, leaveOut } from '../issues.ts'
import { toNamedKey } from '../one-environment.ts'
import { parseDocuments } from '../read-documents.ts'
import { isObject, requireObject, type JsonObject } from '../read-json.ts'
import { readTargeting } from './json-logic.ts'

/** Reads a flag definition of flagd, as JSON or YAML. */
export const flagd: Importer = { source: 'flagd', fromFile: readExport }

function readExport(text: string, options: ReadOptions): ReadExport {
  const [root] = parseDocuments(text)
  if (!isObject(root) || !isObject(root['flags'])) {
    throw new ExportError('This is no definition of flagd: "flags" is missing.')
  }
  const environment = requireEnvironment(options, 'A definition')
  const entries = Object.entries(root['flags']).map(([key, value]) => {
    const flag = requireObject(value, `flags.${key}`)
    return [key, () => readFlag(key, flag, environment)] as const
  })
  return readEach(entries, 'FD-T018')
}

function readFlag(key: string, flag: JsonObject, environment: string): ImportedKey {
  const variants = requireObject(flag['variants'], `flags.${key}.variants`)
  const { defaultVariant, state, targeting } = flag
  if (state === 'DISABLED') {
    const cause = 'The flag is disabled: each call has its own default.'
    throw leaveOut('FD-T002', cause, 'It is left out. Enable it, then import again.')
  }
  if (typeof defaultVariant !== 'string' || !Object.hasOwn(variants, defaultVariant)) {
    const cause = 'The flag has no default variant: each call has its own default.'
    const action = 'It is left out. Give it a default variant, then import again.'
    throw leaveOut('FD-T003', cause, action)
  }
  const issues = new Issues()
  const context = { source: 'FD', variants: Object.keys(variants), issues } as const
  const hasTargeting = isObject(targeting)
    ? Object.keys(targeting).length > 0
    : typeof targeting === 'string'
  const { steps, rest = defaultVariant } = hasTargeting
    ? readTargeting(targeting, context)
    : { steps: [] }
  return toNamedKey({ key, from: key }, 'FD', { variants, environment, steps, rest }, issues)
}
