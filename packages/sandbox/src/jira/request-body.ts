import { readJson } from '../http/fields.ts'
import type { SandboxRequest } from '../http/route.ts'

/** The body of an operation that takes no other members than these; `undefined` when it has one. */
export function readStrict(
  request: SandboxRequest,
  members: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const body = readJson(request)
  return Object.keys(body).every((name) => members.includes(name)) ? body : undefined
}

/** `undefined` when the value is no list of texts. */
export function asTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}
