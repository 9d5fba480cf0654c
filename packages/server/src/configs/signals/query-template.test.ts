import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillTemplate, readTemplate, type Filling } from './query-template.ts'

const filling: Filling = { environment: 'production', schema: 'shop', version: '7', flag: 'beta' }

function fill(query: string, of: Partial<Filling> = {}): string {
  const template = readTemplate(query)
  if ('at' in template) throw new Error(`${template.text} at ${template.at}`)
  return fillTemplate(template, { ...filling, ...of })
}

/** Reads the strings of a query as Go's scanner does, independently of the template. */
function readStrings(query: string): string[] {
  const strings: string[] = []
  for (let at = 0; at < query.length; at += 1) {
    const quote = query.charAt(at)
    if (quote !== '"' && quote !== "'") continue
    let text = ''
    for (at += 1; query.charAt(at) !== quote; at += 1) {
      if (at >= query.length || query.charAt(at) === '\n') throw new Error(`No end in ${query}`)
      if (query.charAt(at) !== '\\') {
        text += query.charAt(at)
        continue
      }
      at += 1
      const escaped = query.charAt(at)
      if (escaped === 'u') {
        text += String.fromCharCode(Number.parseInt(query.slice(at + 1, at + 5), 16))
        at += 4
      } else if (escaped === '\\' || escaped === quote) text += escaped
      else throw new Error(`\\${escaped} is no escape in ${query}`)
    }
    strings.push(text)
  }
  return strings
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('"', "'", '\\', '`', '{', '}', '\n', '$', '.', '*', '|', 'a', '='),
    maxLength: 12,
  }),
)

describe('a query that names the change', () => {
  it('has its names in the values of labels', () => {
    const query = `sum(rate(errors{env="{environment}",app='{schema}-{version}',flag=~"{flag}|.*"}[5m])) > 1 # {flag}`
    expect(fill(query)).toBe(
      `sum(rate(errors{env="production",app='shop-7',flag=~"beta|.*"}[5m])) > 1 `,
    )
  })

  it.each(['"', "'"])('is the same query whatever the names are, between %s', (quote) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const filled = fill(`up{env=${quote}{environment}${quote}, job="x"}`, { environment: text })
        expect(readStrings(filled)).toEqual([text, 'x'])
        expect(filled.startsWith(`up{env=${quote}`)).toBe(true)
        expect(filled.endsWith(`${quote}, job="x"}`)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('matches the name itself, and nothing else, where it is a regular expression', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        for (const operator of ['=~', '!~']) {
          const [pattern = ''] = readStrings(
            fill(`up{env${operator}"{environment}"}`, { environment: text }),
          )
          // RE2 and JavaScript read these escapes alike.
          const regexp = new RegExp(`^(?:${pattern})$`, 's')
          expect([regexp.test(text), regexp.test(other)]).toEqual([true, text === other])
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['up{flag}', '{flag}', 2],
    ['rate(errors[5m]) > {version}', '{version}', 19],
    ['label_replace(up, "a", "{flag}", "b", "c")', '{flag}', 24],
    ['up{a=`{flag}`}', '{flag}', 6],
    ['up{a="b"} == "{schema}"', '{schema}', 14],
    ['up{env="{enviroment}"}', '{enviroment}', 8],
    ['{environment}', '{environment}', 0],
    [`up{a="\\"{b}"}`, '{b}', 8],
  ])('%s is refused: %s stands at %i', (query, text, at) => {
    expect(readTemplate(query)).toEqual({ text, at })
  })

  it.each([
    'up',
    '{job="x"}',
    'up{a=~"b{2,3}"}',
    String.raw`up{a=~"\\p{Greek}+"}`,
    'up{a="}"} + on (b) group_left up{c="{"}',
    'label_replace(up, "a", "$1", "b", "(.*)")',
  ])('%s has no names and stays as it is', (query) => {
    expect(fill(query)).toBe(query)
    expect(readTemplate(query)).toMatchObject({ names: new Set() })
  })
})
