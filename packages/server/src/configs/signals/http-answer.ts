import type { SignalSpec } from '@signalbox/contract/rest'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { limitsOf, noData, showNumber } from './readings.ts'
import type { Reading } from './signal.ts'

type Expected = Extract<SignalSpec, { readonly kind: 'http' }>['expect']

/** Describes an answer of another server. */
interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** Judges an answer by what is expected of it. Where a member of it is expected, an answer without that member says nothing. */
export function judgeAnswer(expect: Expected, { status, body }: Answer): Reading {
  const isFine = status >= 200 && status < 300
  const detail = `answered ${status}`
  if (expect === '2xx') return { verdict: isFine ? 'good' : 'bad', value: status, detail }
  if (!isFine) return noData(detail)
  const value = findMember(readForeignJson(body), expect.pointer)
  if (expect.equals !== undefined) return judgeEqual(expect.equals, value)
  if (typeof value !== 'number') return noData('has no number there')
  const beyond = limitsOf(expect, value).find(({ excess }) => excess > 0)
  const was = `was ${showNumber(value)}`
  return beyond === undefined
    ? { verdict: 'good', value, detail: was }
    : { verdict: 'bad', value, detail: `${was}, ${beyond.text}` }
}

function judgeEqual(expected: string | number | boolean, value: unknown): Reading {
  if (value === undefined || (typeof value === 'object' && value !== null))
    return noData('has no value there')
  const isEqual = value === expected
  return {
    verdict: isEqual ? 'good' : 'bad',
    value: typeof value === 'number' ? value : null,
    // The value may be anything that the page shows, so it is not repeated.
    detail: isEqual ? 'was as expected' : 'was another value than expected',
  }
}

/** Returns the member of a document that a JSON pointer leads to (RFC 6901). */
function findMember(document: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((within, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return Object.hasOwn(Object(within), key) ? Reflect.get(Object(within), key) : undefined
  }, document)
}
