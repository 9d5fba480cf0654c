import { problems } from '@signalbox/contract'
import type { Answer } from '../http.ts'

/** Names a fault of the service. */
export type Fault =
  /** No answer: the connection broke, or the process with it. */
  | 'broken'
  /** 5xx. */
  | 'server error'
  /** A rejection that is no problem document with a code and the status of that code. */
  | 'no problem'
  /** 2xx to what nobody may accept. */
  | 'accepted'
  /** A refused request, or one that only reads, left something behind. */
  | 'stored'
  /** An accepted value reads back differently. */
  | 'altered'

/** Returns the faults of a response by itself. */
export function judgeAnswer(
  { status, headers, bytes }: Pick<Answer, 'status' | 'headers' | 'bytes'>,
  mustRefuse: boolean,
): Fault[] {
  if (status < 400) return mustRefuse ? ['accepted'] : []
  const faults: Fault[] = status >= 500 ? ['server error'] : []
  const type = headers['content-type']
  const isKnown =
    type === 'application/scim+json'
      ? isScimError(bytes, status)
      : type === 'application/problem+json' && isProblem(bytes, status)
  if (!isKnown) faults.push('no problem')
  return faults
}

/** Returns whether an error has the form of RFC 7644 §3.12. */
function isScimError(bytes: Buffer, status: number): boolean {
  const document = parse(bytes)
  if (!isRecord(document)) return false
  const { schemas, status: said, detail } = document
  const isError = String(schemas) === 'urn:ietf:params:scim:api:messages:2.0:Error'
  return isError && said === String(status) && typeof detail === 'string'
}

function isProblem(bytes: Buffer, status: number): boolean {
  const document = parse(bytes)
  if (!isRecord(document)) return false
  const { code, status: said, type, detail } = document
  const known = Object.entries(problems).find(([name]) => name === code)
  return (
    known?.[1].status === status &&
    said === status &&
    typeof type === 'string' &&
    typeof detail === 'string'
  )
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads what was sent, apart from the service's own reader. Answers `undefined` for what cannot be read without
 * losing something: bytes that are not UTF-8, text that is not JSON, integers that no number holds.
 */
export function readExactly(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return JSON.parse(text, (_name: string, value: unknown, context?: { source?: string }) => {
      const source = context?.source ?? ''
      if (typeof value === 'number' && !isExact(value, source)) throw new RangeError(source)
      return value
    })
  } catch {
    return undefined
  }
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0)) return false
  return !/^-?\d+$/.test(source) || BigInt(source) === BigInt(value)
}

/** Returns whether a value came back exactly as it was sent. */
export function isSame(sent: unknown, got: unknown): boolean {
  if (typeof sent === 'string' && typeof got === 'string') {
    return Buffer.from(sent, 'utf16le').equals(Buffer.from(got, 'utf16le'))
  }
  return Object.is(sent, got)
}
