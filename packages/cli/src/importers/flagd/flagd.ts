import type { ImportIssue } from '@signalbox/contract'
import { readEach, toFlag } from '../alternatives.ts'
import {
  ExportError,
  LeftOut,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
} from '../importer.ts'
import { parseDocuments } from '../read-documents.ts'
import { isObject, requireObject, type JsonObject } from '../read-json.ts'
import { readTargeting } from './json-logic.ts'

/** Reads a flag definition of flagd, as JSON or YAML. */
export const flagd: Importer = { source: 'flagd', fromFile: readExport }

function readExport(text: string, { environment }: ReadOptions): ReadExport {
  const [root] = parseDocuments(text)
  if (!isObject(root) || !isObject(root['flags'])) {
    throw new ExportError('This is no definition of flagd: "flags" is missing.')
  }
  if (environment === undefined) {
    throw new ExportError(
      'A definition is about one environment. Say which one it becomes: --env <name>.',
    )
  }
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
    throw new LeftOut({
      code: 'FD-T002',
      severity: 'high',
      cause: 'The flag is disabled: each call has its own default.',
      done: 'It is left out. Enable it, then import again.',
    })
  }
  if (typeof defaultVariant !== 'string' || !Object.hasOwn(variants, defaultVariant)) {
    throw new LeftOut({
      code: 'FD-T003',
      severity: 'high',
      cause: 'The flag has no default variant: each call has its own default.',
      done: 'It is left out. Give it a default variant, then import again.',
    })
  }
  const base = variants[defaultVariant]
  const issues = new Map<string, ImportIssue>()
  const hasTargeting = isObject(targeting)
    ? Object.keys(targeting).length > 0
    : typeof targeting === 'string'
  const common = { key, from: key, issues: [] }
  if (!Object.values(variants).every((value) => typeof value === 'boolean')) {
    return readConstant(common, base, { environment, hasTargeting })
  }
  const serve = (variant: unknown) => {
    const name = typeof variant === 'boolean' ? String(variant) : variant
    const value =
      typeof name === 'string' && Object.hasOwn(variants, name) ? variants[name] : undefined
    return typeof value === 'boolean' ? value : undefined
  }
  const { steps, rest } = hasTargeting
    ? readTargeting(targeting, { serve, issues })
    : { steps: [], rest: undefined }
  const { value, rules } = toFlag(steps, rest ?? base === true)
  const isExact = [...issues.values()].every(({ severity }) => severity === 'low')
  return {
    ...common,
    type: 'boolean',
    tier: 'featureFlags',
    verdict: isExact ? 'exact' : 'differs',
    values: [{ environment, value, ...(rules.length > 0 && { rules }) }],
    issues: [...issues.values()],
  }
}

/** Reads a flag of texts, numbers or JSON: a public key, where it is the same for everyone. */
function readConstant(
  common: Pick<ImportedKey, 'key' | 'from' | 'issues'>,
  value: unknown,
  { environment, hasTargeting }: { readonly environment: string; readonly hasTargeting: boolean },
): ImportedKey {
  if (hasTargeting) {
    throw new LeftOut({
      code: 'FD-T020',
      severity: 'high',
      cause: 'The flag has other variants than true and false, and a targeting.',
      done: 'It is left out: rules serve true or false.',
    })
  }
  const isPlain = typeof value === 'string' || typeof value === 'number'
  const cause = 'The flag has other variants than true and false, and is the same for everyone.'
  const done = isPlain
    ? 'It becomes a public key.'
    : 'It becomes a public key that holds JSON as text.'
  return {
    ...common,
    type: typeof value === 'number' ? 'number' : 'string',
    tier: 'public',
    verdict: 'exact',
    values: [{ environment, value: isPlain ? value : JSON.stringify(value) }],
    issues: [{ code: 'FD-T021', severity: 'low', cause, done }],
  }
}
