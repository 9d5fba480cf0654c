import { liveTopics } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

/** Returns the topics that functions of triggers write, from the text of the functions. */
function topicsIn(sources: readonly string[]): string[] {
  const literals = sources.flatMap((source) =>
    [...source.replaceAll(/raise notice[^;]*;/g, '').matchAll(/'([a-z_]+)', /g)].map(
      ([, topic = '']) => topic,
    ),
  )
  return [...new Set(literals)].toSorted()
}

const announced = liveTopics.filter((topic) => topic !== 'all').toSorted()

describe('the topics of the triggers', () => {
  it('are those of the contract, each of them', async () => {
    const rows = await test.asOwner<{ source: string }>(
      `select prosrc as source from pg_proc where prosrc like '%insert into live_changes%'`,
    )
    expect(topicsIn(rows.map(({ source }) => source))).toEqual(announced)
  })

  it('control: a topic that the contract lacks is found', () => {
    const source = `insert into live_changes values (r.org_id, 'moon_phase', r.id)`
    expect(topicsIn([source])).toEqual(['moon_phase'])
  })
})
