import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
}

const formatNames: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'a date and time as ISO 8601, such as 2027-01-31T00:00:00.000Z',
  date: 'a date as ISO 8601, such as 2027-01-31',
  uuid: 'a UUID',
}

/**
 * Tells what to send instead, for each way a value can be wrong. Never repeats the value. A schema's own message takes
 * precedence.
 */
export function describeIssue(issue: RawIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'This field is required.'
    return `Use ${typeNames[issue.expected] ?? issue.expected}.`
  }
  if (issue.code === 'too_small') {
    return describeBound('at least', issue.origin, issue.minimum, issue.inclusive ?? true)
  }
  if (issue.code === 'too_big') {
    return describeBound('at most', issue.origin, issue.maximum, issue.inclusive ?? true)
  }
  return describeForm(issue)
}

function describeForm(issue: RawIssue): string {
  if (issue.code === 'invalid_format') {
    return `Use ${formatNames[issue.format] ?? 'text in the documented form'}.`
  }
  if (issue.code === 'not_multiple_of') return `Use a multiple of ${issue.divisor}.`
  if (issue.code === 'invalid_value') {
    return `Use ${listOf(issue.values.map((value) => JSON.stringify(value) ?? String(value)))}.`
  }
  const union = issue.code === 'invalid_union' ? describeUnion(issue) : undefined
  return union ?? 'The value doesn’t have the documented form.'
}

function describeBound(
  word: 'at least' | 'at most',
  origin: string,
  bound: number | bigint,
  inclusive: boolean,
): string {
  const one = bound === 1
  switch (origin) {
    case 'string':
      if (one && word === 'at least') return 'This field must not be empty.'
      return `Use ${word} ${bound} ${one ? 'character' : 'characters'}.`
    case 'array':
    case 'set':
      return `Use ${word} ${bound} ${one ? 'item' : 'items'}.`
    default:
      if (inclusive) return `Use a number of ${word} ${bound}.`
      return `Use a number ${word === 'at least' ? 'greater' : 'less'} than ${bound}.`
  }
}

interface UnionIssue {
  readonly errors?: readonly (readonly { readonly code?: string; readonly expected?: string }[])[]
}

function describeUnion({ errors = [] }: UnionIssue): string | undefined {
  const expected = errors.flat().map((inner) => typeNames[inner.expected ?? ''])
  const names = [...new Set(expected)].filter((name) => name !== undefined)
  return names.length === 0 ? undefined : `Use ${listOf(names)}.`
}

function listOf(options: readonly string[]): string {
  if (options.length <= 1) return options[0] ?? 'another value'
  return `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`
}
