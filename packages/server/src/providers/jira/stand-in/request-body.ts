import { readJson } from '../../../../../sandbox/src/http/fields.ts'
import type { SandboxRequest } from '../../../../../sandbox/src/http/route.ts'

/** Returns the JSON body, or `undefined` when it has a member that the operation does not take. */
export function readStrict(
  request: SandboxRequest,
  members: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const body = readJson(request)
  return Object.keys(body).every((name) => members.includes(name)) ? body : undefined
}

/** Returns the value as a list of texts, or `undefined` when it is no such list. */
export function asTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}
