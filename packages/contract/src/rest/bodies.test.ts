import { describe, expect, it } from 'vitest'
import { endpoints } from './index.ts'
import { givenDisplayName, resourceName } from './shapes.ts'

const fields = ['name', 'organizationName'] as const

/** Returns the faults of a request body that concern one field of it. */
function violationsOf(body: NonNullable<Body>, field: string, value: unknown): readonly string[] {
  const { error } = body.safeParse({ [field]: value })
  const violations =
    error?.issues.filter(({ path }) => path.length === 1 && path[0] === field) ?? []
  return violations.map(({ code }) => code)
}

type Body = Extract<(typeof endpoints)[keyof typeof endpoints], { readonly body: unknown }>['body']

/** Every body of the service in which something is given a name. */
const named = Object.values(endpoints).flatMap((endpoint) => {
  if (!('body' in endpoint)) return []
  const { body, operationId } = endpoint
  // A body of whatever fields a provider has: a name among them is no name that is shown.
  if (violationsOf(body, 'noSuchField', 5).includes('invalid_type')) return []
  return fields.flatMap((field) =>
    violationsOf(body, field, 5).includes('invalid_type') ? [{ operationId, body, field }] : [],
  )
})

describe('a name that somebody gives', () => {
  it('is looked for wherever one is taken', () => {
    const found = named.map(({ operationId }) => operationId)
    for (const one of [
      'completeSetup',
      'createOrganization',
      'updateOrganization',
      'createAgentToken',
      'createApiKey',
      'updateApiKey',
      'createPersonalAccessToken',
      'updateMe',
      'createNotificationRoute',
      'updateNotificationRoute',
      'createTestRun',
    ]) {
      expect(found).toContain(one)
    }
  })

  it.each(named)('may not turn around the text beside it: $operationId, $field', (place) => {
    expect(violationsOf(place.body, place.field, 'Acme')).toEqual([])
    for (const mark of ['\u202E', '\u2066', '\u200F', '\u0007', '\u2028', '\uFEFF', '\u00AD']) {
      expect([mark, violationsOf(place.body, place.field, `Ac${mark}me`)]).toEqual([
        mark,
        ['invalid_format'],
      ])
    }
  })

  it('keeps the joiners of every script, and what is no letter', () => {
    for (const name of ['می\u200Cخواهم', 'क्\u200Dष', '👩\u200D💻 Acme', 'Ødegård & Söhne 🚀']) {
      expect(givenDisplayName.parse(name)).toBe(name)
    }
  })
})

it('every body refuses a field that it does not know, but the one of a provider, which has its own', () => {
  const open = Object.values(endpoints).flatMap((endpoint) => {
    if (!('body' in endpoint)) return []
    const { error } = endpoint.body.safeParse({ noSuchField: 'x' })
    const isRefused = error?.issues.some(
      ({ code, path }) => code === 'unrecognized_keys' && path.length === 0,
    )
    return isRefused === true ? [] : [endpoint.operationId]
  })
  expect(open).toEqual(['saveProviderApp'])
})

describe('the name of an environment or schema', () => {
  it.each([
    ['Checkout Service 🚀', ', such as Checkout-Service.'],
    ['-Café au lait-', ', such as Cafe-au-lait.'],
    ['x'.repeat(64), `, such as ${'x'.repeat(63)}.`],
    ['🚀', 'beginning with a letter or digit.'],
  ])('that is refused offers the nearest one that is not: %s', (name, end) => {
    const { error } = resourceName.safeParse(name)
    expect(error?.issues[0]?.message.endsWith(end)).toBe(true)
  })
})
