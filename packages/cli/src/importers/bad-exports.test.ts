import { describe, expect, it } from 'vitest'
import { ExportError, type Importer } from './importer.ts'
import { importers } from './registry.ts'
import { sourceExports } from './testing/source-exports.ts'

const options = { environment: 'production', environments: new Map<string, string>() }
const all = [...importers.values()].map((importer) => [importer.source, importer] as const)
const get = (source: string) => all.find(([one]) => one === source)?.[1]

/** Returns what a reader makes of a text: the message of its error, or how many keys. Throws any other error. */
function read(importer: Importer | undefined, text: string): string {
  try {
    return `${importer?.fromFile(text, options).keys.length} keys`
  } catch (error) {
    if (error instanceof ExportError) return error.message
    throw error
  }
}

describe.each(all)('a bad export of %s', (source, importer) => {
  const { text } = sourceExports[source]

  it('that ends too early says its line', () => {
    const outcomes = Array.from({ length: text.length - 1 }, (_, at) =>
      read(importer, text.slice(0, at + 1)),
    )
    const unsaid = outcomes.filter((outcome) => !/line \d+/.test(outcome))
    // An .env file is one after each of its lines.
    expect(/^[[{]/.test(text) ? unsaid : []).toEqual([])
  })

  it('without anything in it has no keys', () => {
    for (const nothing of ['', '{}', '[]', '3', '"a"', '<html></html>', '\0\0\0']) {
      expect([nothing, read(importer, nothing)]).not.toEqual([nothing, '1 keys'])
    }
  })

  it('of another product has no keys', () => {
    const others = all.map(([other]) => other).filter((other) => other !== source)
    const taken = others.filter((other) =>
      /^[1-9]\d* keys/.test(read(importer, sourceExports[other].text)),
    )
    // Vercel writes .env files.
    const alike = { dotenv: ['vercel'], vercel: ['dotenv'] } as const
    expect(taken).toEqual(source in alike ? alike[source as keyof typeof alike] : [])
  })
})

it.each([
  [
    'launchdarkly',
    '{"flags":{"a":{"variations":[true]},\n"a":{"variations":[false]}}}',
    'Line 2 has "a" a second time',
  ],
  ['launchdarkly', '{"items":[{"key":"a"},{"key":"a"}]}', 'the flag a twice'],
  ['names', '[{"name":"a","strategies":[]}]', '[0].strategies is a list'],
  ['unleash', '{"features":[{"name":"a"},{"name":"a"}]}', 'features[1] is a a second time'],
  ['growthbook', '{"features":{"a":{"defaultValue":true},\n"a":{}}}', 'Line 2 has "a"'],
  ['flagsmith', '[{"name":"a","enabled":true},{"name":"a","enabled":false}]', 'the flag a twice'],
  ['configcat', '{"f":{"a":{"t":0,"v":{"b":true}},\n"a":{"t":0}}}', 'Line 2 has "a"'],
  [
    'flipt',
    'flags: [{key: a, type: BOOLEAN_FLAG_TYPE}, {key: a, type: BOOLEAN_FLAG_TYPE}]',
    'the flag a twice',
  ],
  ['flagd', 'flags:\n  a: {}\n  a: {}', "line 3 can't be read"],
  ['go-feature-flag', 'a:\n  variations: {}\na:\n  variations: {}', "line 3 can't be read"],
  [
    'posthog',
    '{"results":[{"key":"a","filters":{}},{"key":"a","filters":{}}]}',
    'the flag a twice',
  ],
  ['doppler', '{"A":"c4n4ry",\n"A":"c4n4ry"}', 'Line 2 has "A" a second time'],
  ['kubernetes', 'kind: Secret\nstringData:\n  A: c4n4ry\n  A: c4n4ry', "line 4 can't be read"],
  ['vault', '{"data":{"A":"c4n4ry",\n"A":"c4n4ry"}}', 'Line 2 has "A" a second time'],
])('an export of %s that has a name twice is refused: %s', (source, text, message) => {
  expect(read(get(source), text)).toContain(message)
  expect(read(get(source), text)).not.toContain('c4n4ry')
})

it.each([
  ['configcat', '{"p":{},"f":{"a":{"v":true,"t":0,"p":[],"r":[]}}}', /^f\.a\.v .*config_v6\.json/],
  ['growthbook', '{"features":{},"encryptedFeatures":"abc"}', /encrypted/],
  ['unleash', '{"version":1,"toggles":[]}', /"features" is missing/],
])('an export of %s of a version that is not read says what is', (source, text, message) => {
  expect(read(get(source), text)).toMatch(message)
})
