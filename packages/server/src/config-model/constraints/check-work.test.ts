import { emptyCurrentValues } from '../current-values.ts'
import type { KeyDefinition } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { checkValues } from './check-values.ts'
import { createCheckWork } from './check-work.ts'
import { matchSteps, measureConstraints } from './constraint-work.ts'
import { parseDefinition } from '../parse-definition.ts'
import { reportEnvironments } from '../../configs/schemas/report-environments.ts'

const tooLong = {
  code: 'validation_failed',
  message: expect.stringContaining('too long') as string,
}

/** Keys of which each costs nearly as much as one may. */
function costlyKeys(count: number, text?: string): Record<string, KeyDefinition> {
  const declared: KeyDefinition = {
    type: 'string',
    constraints: { pattern: '^(?:a?){530}' },
    ...(text === undefined ? {} : { default: text }),
  }
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, declared]))
}

const text = 'a'.repeat(900)

async function parse(schema: Record<string, KeyDefinition>) {
  const result = await parseDefinition(schema)
  if ('violations' in result) throw new Error(JSON.stringify(result.violations))
  return result.parsed.definition
}

describe('the work of checking', () => {
  it('of a definition is limited for all its keys together', async () => {
    expect((await parse(costlyKeys(30, text))).size).toBe(30)
    await expect(parse(costlyKeys(60, text))).rejects.toMatchObject(tooLong)
  })

  it('of a definition counts what is compiled, although no text is matched', async () => {
    const patterns = (count: number) =>
      Array.from({ length: count }, (_, i): [string, KeyDefinition] => [
        `k${i}`,
        { type: 'string', constraints: { pattern: `^[a-z]{1000}${i}$` } },
      ])
    expect((await parse(Object.fromEntries(patterns(20)))).size).toBe(20)
    await expect(parse(Object.fromEntries(patterns(500)))).rejects.toMatchObject(tooLong)
  })

  it('leaves room for the largest schema of ordinary keys', async () => {
    const keys = Array.from({ length: 2_000 }, (_, i): [string, KeyDefinition] => [
      `k${i}`,
      {
        type: 'string',
        default: `https://example.com/${i}`,
        constraints: { format: 'uri', maxLength: 200, pattern: '^https://[a-z.]+/[0-9]*$' },
      },
    ])
    expect((await parse(Object.fromEntries(keys))).size).toBe(2_000)
  })

  it('of values is limited for all of a request together', async () => {
    const definition = await parse(costlyKeys(60))
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, text]))
    expect(await checkValues(definition, values(30))).toHaveProperty('values')
    await expect(checkValues(definition, values(60))).rejects.toMatchObject(tooLong)
  })

  it('of a report is limited over all environments', async () => {
    const definition = await parse(costlyKeys(10))
    const author = { type: 'user', id: null, name: '' } as const
    const openValues = Object.fromEntries(
      [...definition.keys()].map((key) => [key, { value: text, updatedAt: 0, updatedBy: author }]),
    )
    const ids = ['env_a', 'env_b']
    const state = {
      schema: { id: 'sch_a', name: 'a', revision: 1, definition, secretDefaults: {} },
      tree: new Map(
        ids.map((id) => [
          id,
          { id, name: id, parentId: null, inheritedSecrets: null, isArchived: false },
        ]),
      ),
      currentValues: new Map(ids.map((id) => [id, { ...emptyCurrentValues(id), openValues }])),
    }
    const report = (stepsMax: number) =>
      reportEnvironments(state, () => '', createCheckWork({ stepsMax }))
    expect(await report(20_000_000)).toHaveLength(2)
    await expect(report(10_000_000)).rejects.toMatchObject(tooLong)
  })

  it('of one value is limited whatever its constraints', () => {
    for (const constraints of [
      { pattern: '^(?:a?){530}$' },
      { anyOf: [{ pattern: '(?:a?){500}' }, { not: { pattern: '(?:b?){500}' } }] },
      { format: 'url' },
      { format: 'url', pattern: 'a' },
    ]) {
      const work = measureConstraints(constraints)
      const steps = Array.from({ length: 655 }, (_, i) => matchSteps(work, 'a'.repeat(i * 100)))
      expect(Math.max(...steps)).toBeLessThanOrEqual(1_100_000)
      expect(Math.max(...steps)).toBeGreaterThan(500_000)
    }
  })

  it('gives way when it has held the thread for its turn, and only then', async () => {
    let clock = 0
    let turns = 0
    const work = createCheckWork({
      now: () => clock++,
      giveWay: async () => {
        turns++
      },
    })
    for (let key = 0; key < 60; key++) await work.begin(1)
    // Every fifth time that this clock is read, a turn has ended.
    expect(turns).toBe(12)
    const still = createCheckWork({ now: () => 0, giveWay: () => Promise.reject(new Error()) })
    for (let key = 0; key < 60; key++) await still.begin(1)
  })

  it('lets others have the event loop between the keys of a large definition', async () => {
    let turns = 0
    let next: NodeJS.Immediate
    const takeTurn = () => {
      turns++
      next = setImmediate(takeTurn)
    }
    next = setImmediate(takeTurn)
    let clock = 0
    const work = createCheckWork({ now: () => (clock += 5) })
    await parseDefinition(costlyKeys(20, text), work)
    clearImmediate(next)
    expect(turns).toBeGreaterThan(10)
  })
})
