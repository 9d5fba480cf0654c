import type { Fault, FaultKind } from '../http/faults.ts'
import { providerNames } from '../http/provider.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parses a fault out of a JSON body in the form of `Fault`. Returns `undefined` for anything else. */
export function readFault(fields: Fields): Fault | undefined {
  const provider = providerNames.find((name) => name === fields['provider'])
  const fault = isFields(fields['fault']) ? readKind(fields['fault']) : undefined
  if (provider === undefined || fault === undefined) return undefined
  const { request, times } = fields
  return {
    provider,
    fault,
    ...(typeof request === 'string' ? { request } : {}),
    ...(isCount(times) ? { times } : {}),
  }
}

function readKind(fields: Fields): FaultKind | undefined {
  const { kind, everyMs, ms } = fields
  switch (kind) {
    case 'drop':
    case 'cut':
    case 'hang':
      return { kind }
    case 'drip':
      return isCount(everyMs) ? { kind, everyMs } : undefined
    case 'slow':
      return isCount(ms) ? { kind, ms } : undefined
    case 'answer':
      return readAnswer(fields)
    default:
      return undefined
  }
}

function readAnswer({ status, headers, body }: Fields): FaultKind | undefined {
  if (!isCount(status) || status < 200 || status > 599) return undefined
  return {
    kind: 'answer',
    status,
    ...(isFields(headers) ? { headers: textsOf(headers) } : {}),
    ...(typeof body === 'string' ? { body } : {}),
  }
}

function textsOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
