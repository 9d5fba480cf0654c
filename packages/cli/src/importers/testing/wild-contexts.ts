import fc from 'fast-check'

/**
 * Lists values that an application may send for an attribute, and that products take for one another: texts that are numbers,
 * numbers that are versions, and what is empty.
 */
const values = [
  '',
  ' ',
  '0',
  '1',
  '5',
  '05',
  '5.0',
  '1e3',
  '-1',
  '1.5',
  'true',
  'false',
  'True',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'pro',
  'Pro',
  ' pro',
  'pro ',
  'profit',
  'free',
  'é',
  '🦄',
  'a,b',
  '1.2.3',
  'v1.2.3',
  ' 1.2.3',
  '1.2',
  '01.2.3',
  '1.2.3-rc.1',
  '1.2.3+build',
  '2.0.0',
  '2.0.0.1',
  'user-1',
  'user-3',
  'ada@acme.com',
  '2026-01-01T00:00:00Z',
  '99999999999999999999',
  0,
  1,
  2,
  3,
  5,
  1.5,
  -1,
  3.5,
  1000,
  1_700_000_000,
  2 ** 31,
  1e15,
  0.1,
  -0.5,
  true,
  false,
]

/** Describes a context. A user is a text, or is not named at all. */
export interface WildContext extends Readonly<Record<string, unknown>> {
  readonly targetingKey?: string
}

/** Lists values that our contexts do not have, and those of some products do. */
const lists = [[], ['pro'], ['free', 'pro'], [5], ['5', 'x'], [true], {}, { pro: true }]

/**
 * Returns contexts with every mixture of types: a flag that is said to be exact decides for all of them as in the product. A user
 * is a text that is not empty, or is not named at all. `isAscii` is for products whose clients hash other texts differently,
 * `hasLists` for those that look into lists.
 */
export function sampleWildContexts(
  attributes: readonly string[],
  {
    count,
    isAscii = false,
    hasLists = false,
  }: { readonly count: number; readonly isAscii?: boolean; readonly hasLists?: boolean },
): WildContext[] {
  const isFit = (one: unknown) => !isAscii || !/[^ -~]/.test(String(one))
  const value = fc.constantFrom<unknown[]>(...values, ...(hasLists ? lists : [])).filter(isFit)
  const model = {
    targetingKey: fc.oneof(
      fc.integer({ min: 0, max: 50 }).map((index) => `user-${index}`),
      fc.constantFrom('5', 'true', 'pro', 'é', 'a,b', '1.2.3').filter(isFit),
    ),
    ...Object.fromEntries(attributes.map((name) => [name, value])),
  }
  return fc.sample(fc.record<WildContext>(model, { requiredKeys: [] }), {
    numRuns: count,
    seed: 17,
  })
}
