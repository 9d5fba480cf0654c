import type { ConfigSchema } from './schema-picker.tsx'

type Definition = ConfigSchema['schema']

/** Returns the definition as a request has it. "hasDefault" keeps the default of a secret, which is not shown. */
export function toDeclared(schema: Definition) {
  return Object.fromEntries(
    Object.entries(schema).map(([key, { hasDefault, ...declared }]) => [
      key,
      hasDefault && declared.default === undefined ? { ...declared, hasDefault } : declared,
    ]),
  )
}

/** Returns the definition of a schema as JSON for editing. */
export function toDefinitionText({ schema }: Pick<ConfigSchema, 'schema'>): string {
  return JSON.stringify(toDeclared(schema), undefined, 2)
}

/** Describes the values that a new definition would miss in one environment. */
export interface ReportEntry {
  readonly environment: string
  readonly missing: readonly string[]
  readonly invalid: readonly { readonly key: string; readonly detail: string }[]
  readonly orphaned: readonly string[]
}

/** Returns the report of a rejection. Empty: it has none. */
export function readReport(fields: Readonly<Record<string, unknown>>): readonly ReportEntry[] {
  const { report } = fields
  return Array.isArray(report) ? report.filter(isReportEntry) : []
}

function isReportEntry(value: unknown): value is ReportEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'environment' in value &&
    typeof value.environment === 'string' &&
    'missing' in value &&
    Array.isArray(value.missing) &&
    'invalid' in value &&
    Array.isArray(value.invalid) &&
    'orphaned' in value &&
    Array.isArray(value.orphaned)
  )
}

/** Parses a definition, or returns its error. The server checks the keys. */
export function readDefinition(
  text: string,
):
  | { readonly ok: true; readonly schema: Record<string, never> }
  | { readonly ok: false; readonly error: string } {
  try {
    const schema: unknown = JSON.parse(text)
    if (isObject(schema)) return { ok: true, schema }
    return { ok: false, error: 'Use an object: the name of each key with its definition.' }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : 'This is not valid JSON.' }
  }
}

function isObject(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
