import { readFields, readJson } from '../../../../../sandbox/src/http/fields.ts'
import type { SandboxRequest } from '../../../../../sandbox/src/http/route.ts'

/** Returns the fields of a body, JSON or a form. Values of a form are text. */
export function bodyOf(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const isJson = (request.headers['content-type'] ?? '').includes('json')
  return isJson ? readJson(request) : Object.fromEntries(readFields(request))
}

/** Returns a field as text, and an empty or missing one as `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a field as a yes or a no. `undefined`: it is missing, or neither. */
export function booleanOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true
  return value === false || value === 'false' || value === '0' ? false : undefined
}
