import { describe, expect, it } from 'vitest'
import type { TrackerIssue } from '../tracker.ts'
import { findByKeys } from './find-by-keys.ts'

const issueOf = (key: string): TrackerIssue => ({
  externalId: key,
  key,
  title: null,
  type: null,
  status: null,
  statusCategory: null,
  assignee: null,
  priority: null,
  url: `https://acme.atlassian.net/browse/${key}`,
})

/** Answers as Jira does: key -> key of today; each issue once, in an order of its own. */
function createSite(todayOf: Readonly<Record<string, string>>) {
  const calls: number[] = []
  return {
    calls,
    fetch: async (keys: readonly string[]) => {
      calls.push(keys.length)
      const today = new Set(keys.flatMap((key) => todayOf[key] ?? []))
      return [...today].toSorted().toReversed().map(issueOf)
    },
  }
}

async function outcomesOf(site: ReturnType<typeof createSite>, keys: readonly string[]) {
  const found = await findByKeys(keys, site.fetch)
  return found.map((one) =>
    'issue' in one ? `${one.key} ${one.outcome} ${one.issue.key}` : `${one.key} absent`,
  )
}

describe('findByKeys', () => {
  it('asks once when every key is answered as it was asked', async () => {
    const site = createSite({ 'ABC-1': 'ABC-1', 'ABC-2': 'ABC-2' })
    expect(await outcomesOf(site, ['ABC-2', 'ABC-1'])).toEqual([
      'ABC-2 found ABC-2',
      'ABC-1 found ABC-1',
    ])
    expect(site.calls).toEqual([2])
  })

  it('tells a moved issue from those that are not there', async () => {
    const site = createSite({ 'ABC-1': 'ABC-1', 'ABC-2': 'WEB-7' })
    expect(await outcomesOf(site, ['UTF-8', 'ABC-1', 'ABC-2', 'SHA-256'])).toEqual([
      'UTF-8 absent',
      'ABC-1 found ABC-1',
      'ABC-2 moved WEB-7',
      'SHA-256 absent',
    ])
  })

  it('finds an issue under its former key when it is asked for under both', async () => {
    const site = createSite({ 'ABC-2': 'WEB-7', 'WEB-7': 'WEB-7' })
    expect(await outcomesOf(site, ['ABC-2', 'WEB-7'])).toEqual([
      'ABC-2 moved WEB-7',
      'WEB-7 found WEB-7',
    ])
  })

  it('finds an issue that was moved twice under both of its former keys', async () => {
    const site = createSite({ 'ABC-2': 'OPS-3', 'WEB-7': 'OPS-3' })
    expect(await outcomesOf(site, ['ABC-2', 'WEB-7'])).toEqual([
      'ABC-2 moved OPS-3',
      'WEB-7 moved OPS-3',
    ])
  })

  it('asks twice for a hundred keys of which half are no issues', async () => {
    const keys = Array.from({ length: 100 }, (_, at) => `ABC-${at + 1}`)
    const site = createSite(Object.fromEntries(keys.slice(50).map((key) => [key, key])))
    await outcomesOf(site, keys)
    expect(site.calls).toEqual([100, 50])
  })

  it('asks for one moved issue of a hundred no more than twice per halving', async () => {
    const keys = Array.from({ length: 100 }, (_, at) => `ABC-${at + 1}`)
    const site = createSite({ 'ABC-42': 'WEB-1' })
    expect(await outcomesOf(site, keys)).toContain('ABC-42 moved WEB-1')
    expect(site.calls.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(100)))
  })

  it('asks one by one, and no more, when a whole project got another key', async () => {
    const keys = Array.from({ length: 50 }, (_, at) => `ABC-${at + 1}`)
    const site = createSite(
      Object.fromEntries(keys.map((key) => [key, key.replace('ABC', 'SHOP')])),
    )
    const outcomes = await outcomesOf(site, keys)
    expect(outcomes).toEqual(keys.map((key) => `${key} moved ${key.replace('ABC', 'SHOP')}`))
    expect(site.calls).toHaveLength(51)
  })
})
