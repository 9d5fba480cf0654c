import type { ImportSource } from '@signalbox/contract'
import { isNested, isObject, type JsonObject } from './read-json.ts'

/**
 * Returns the source whose export a text looks like, or `undefined`. It looks at the names of the outermost members only, so
 * that a file of the wrong product is told from a broken one.
 */
export function recognizeSource(text: string): ImportSource | undefined {
  const start = text.trimStart().slice(0, 1)
  if (start !== '{' && start !== '[') return recognizeLines(text)
  try {
    return recognizeJson(JSON.parse(text))
  } catch {
    return undefined
  }
}

function recognizeJson(root: unknown): ImportSource | undefined {
  if (Array.isArray(root)) return recognizeList(root)
  if (!isObject(root)) return undefined
  return shapes.find(({ fits }) => fits(root))?.source
}

function recognizeList([first]: readonly unknown[]): ImportSource | undefined {
  if (!isObject(first)) return undefined
  if ('variations' in first && 'environments' in first) return 'launchdarkly'
  if (isPostHog(first)) return 'posthog'
  const isFlagsmith = ['default_enabled', 'initial_value', 'enabled'].some((name) => name in first)
  if (isFlagsmith) return 'flagsmith'
  if ('value' in first && 'key' in first) return 'infisical'
  // The entries of lists of names hold texts and numbers alone.
  return isText(first['name']) && !Object.values(first).some(isNested) ? 'names' : undefined
}

interface Shape {
  readonly source: ImportSource
  readonly fits: (root: JsonObject) => boolean
}

/** Lists what tells the sources apart, in JSON. The first that fits counts. */
const shapes: readonly Shape[] = [
  { source: 'kubernetes', fits: ({ apiVersion, kind }) => isText(apiVersion) && isText(kind) },
  { source: 'unleash', fits: ({ features }) => Array.isArray(features) },
  { source: 'growthbook', fits: ({ features }) => isObject(features) },
  { source: 'growthbook', fits: (root) => 'encryptedFeatures' in root },
  { source: 'flagsmith', fits: ({ feature_states: states }) => Array.isArray(states) },
  {
    source: 'configcat',
    fits: ({ f: settings, p: preferences }) => isObject(settings ?? preferences),
  },
  { source: 'posthog', fits: ({ results, flags }) => isPostHog([results ?? flags].flat()[0]) },
  { source: 'flipt', fits: ({ flags }) => Array.isArray(flags) },
  { source: 'flagd', fits: ({ flags }) => hasMembers(flags, 'variants') },
  { source: 'launchdarkly', fits: ({ flags }) => hasMembers(flags, 'variations') },
  { source: 'launchdarkly', fits: ({ flagValues }) => isObject(flagValues) },
  { source: 'launchdarkly', fits: (root) => 'variations' in root && 'environments' in root },
  { source: 'launchdarkly', fits: ({ items }) => Array.isArray(items) },
  { source: 'go-feature-flag', fits: (root) => hasMembers(root, 'variations') },
  { source: 'aws-ssm', fits: (root) => 'Parameters' in root || 'Parameter' in root },
  { source: 'aws-secrets-manager', fits: (root) => awsSecret.some((name) => name in root) },
  { source: 'vault', fits: (root) => isObject(root['data']) && 'lease_id' in root },
  {
    source: 'names',
    fits: (root) => 'total_count' in root && ('secrets' in root || 'variables' in root),
  },
  { source: 'infisical', fits: ({ secrets }) => Array.isArray(secrets) },
  { source: 'vercel', fits: ({ envs }) => Array.isArray(envs) },
  { source: 'doppler', fits: ({ secrets }) => isObject(secrets) },
  { source: 'doppler', fits: (root) => areVariables(Object.entries(root)) },
]

const awsSecret = ['SecretString', 'SecretBinary', 'SecretValues']

/** Flags of PostHog have filters, where those of other products have rules. */
function isPostHog(flag: unknown): boolean {
  return isObject(flag) && 'key' in flag && isObject(flag['filters'])
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** Returns whether a value is an object whose first member is one that has `name`. */
function hasMembers(value: unknown, name: string): boolean {
  const [first] = isObject(value) ? Object.values(value) : []
  return isObject(first) && name in first
}

function areVariables(entries: readonly (readonly [string, unknown])[]): boolean {
  return (
    entries.length > 0 &&
    entries.every(([name, value]) => variableName.test(name) && (isText(value) || isObject(value)))
  )
}

const variableName = /^[A-Z][A-Z0-9_]*$/

/** Recognizes what is no JSON: YAML by its members, and an .env file by its first assignment. */
function recognizeLines(text: string): ImportSource | undefined {
  if (/^kind:/m.test(text) && /^apiVersion:/m.test(text)) return 'kubernetes'
  if (/^[ \t]+variations:/m.test(text) && /^[ \t]+defaultRule:/m.test(text))
    return 'go-feature-flag'
  if (/^flags:[ \t]*$/m.test(text)) {
    return /^[ \t]+defaultVariant:/m.test(text) ? 'flagd' : 'flipt'
  }
  if (!/^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.]*=/m.test(text)) return undefined
  return /^VERCEL(?:_\w+)?=/m.test(text) ? 'vercel' : 'dotenv'
}
