import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { importDocument } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { importers } from '../packages/cli/src/importers/registry.ts'
import { sourceExports } from '../packages/cli/src/importers/testing/source-exports.ts'
import { toBatches } from '../packages/cli/src/importers/to-batches.ts'
import { renderImportSchema } from '../scripts/docs/import-schema.ts'

const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(
  JSON.parse(renderImportSchema()),
)
const documents = [...importers.values()].flatMap(({ source, fromFile }) => {
  const options = { environment: 'production', environments: new Map<string, string>() }
  return toBatches(source, fromFile(sourceExports[source].text, options))
})

describe('the published schema of signalbox-import/1', () => {
  it.each(documents)('accepts what the importer of $source writes', (document) => {
    expect([validate(JSON.parse(JSON.stringify(document))), validate.errors]).toEqual([true, null])
  })

  it('knows the rules of a flag', () => {
    const document = documents.find(({ source }) => source === 'launchdarkly')
    const text = JSON.stringify(document)
    expect(text).toContain('"operator":"share"')
    for (const wrong of ['"operator":"near"', '"operator":7']) {
      expect(validate(JSON.parse(text.replace('"operator":"share"', wrong)))).toBe(false)
    }
  })

  it('refuses what the server refuses, for random changes of what importers write', () => {
    const json = fc.constantFrom<unknown[]>(null, '', 'x', -1, 1e9, true, [], {}, 'LD-T011', 'high')
    let refused = 0
    fc.assert(
      fc.property(fc.constantFrom(...documents), fc.nat(), json, fc.boolean(), (...drawn) => {
        const [document, at, value, isExtra] = drawn
        const changed: unknown = JSON.parse(JSON.stringify(document))
        const places = listPlaces(changed)
        const place = places[at % places.length]
        if (place === undefined) return
        place.holder[isExtra ? `${place.name}x` : place.name] = value
        const isTaken = importDocument.safeParse(changed).success
        if (!isTaken) refused += 1
        expect([changed, validate(changed)]).toEqual([changed, isTaken])
      }),
      { numRuns: 2000, seed: 17 },
    )
    expect(refused).toBeGreaterThan(500)
  })
})

interface Place {
  readonly holder: Record<string, unknown>
  readonly name: string
}

/** Lists each member of a document, without the rules: the server checks those on their own. */
function listPlaces(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.entries(holder)
    .filter(([name]) => name !== 'rules' && !Array.isArray(holder))
    .flatMap(([name, inner]) => [{ holder, name }, ...listPlaces(inner)])
    .concat(Array.isArray(value) ? value.flatMap((inner) => listPlaces(inner)) : [])
}
