import process from 'node:process'
import { createFlagEvaluator, type ConfigValue, type WrittenRule } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { ExportError, type ImportedKey, type ReadOptions } from './importer.ts'
import { importers } from './registry.ts'
import { toFlatContext, type PublishedCase } from './testing/published-case.ts'
import { findClone, publishedCases } from './testing/published-cases.ts'

/** Names the directory with clones of the vendors' repositories: CONTRIBUTING.md says which. */
const directory = process.env['PUBLISHED_CASES']
/** Lists the issues that say: it decides the same where the application sends no list. */
const ofLists = new Set(['LD-T005', 'GB-T005'])
const options: ReadOptions = { environment: 'production', environments: new Map() }

function decide(
  { key, values, variants }: ImportedKey,
  context: Readonly<Record<string, ConfigValue>>,
): ConfigValue | undefined {
  const [{ value, rules = [] } = { value: false }] = values
  const own = { schemaId: 'sch_1', key, value, rules: rules as WrittenRule[], variants }
  return createFlagEvaluator<ConfigValue>(own)(context).value
}

/** Returns the imported keys; `undefined` where the export is refused as a whole. */
function readKeys(source: PublishedCase['source'], text: string) {
  try {
    return importers.get(source)?.fromFile(text, options).keys
  } catch (error) {
    if (error instanceof ExportError) return undefined
    throw error
  }
}

/** Returns the verdict for the contexts of these cases, which have single values alone. */
function verdictOf({ verdict, issues }: ImportedKey): ImportedKey['verdict'] {
  const isOfListsAlone = issues.every(
    ({ severity, code }) => severity === 'low' || ofLists.has(code),
  )
  return isOfListsAlone ? 'exact' : verdict
}

const separatorOf = (source: PublishedCase['source']) => (source === 'launchdarkly' ? '/' : '.')

/** Imports the flag of each case, and counts what was said of it. */
function judge(cases: readonly PublishedCase[], decides: typeof decide = decide) {
  const counts = { exact: 0, differs: 0, 'left out': 0, 'not of single values': 0, refused: 0 }
  const wrong: string[] = []
  for (const { source, name, text, flag, context, expected } of cases) {
    const keys = readKeys(source, text)
    if (keys === undefined) {
      counts.refused += 1
      continue
    }
    const imported = keys.find(({ key }) => key === flag)
    const flat = toFlatContext(context, separatorOf(source))
    const verdict = imported === undefined ? 'left out' : verdictOf(imported)
    const isComparable = verdict !== 'exact' || flat !== undefined
    counts[isComparable ? verdict : 'not of single values'] += 1
    if (imported === undefined || verdict !== 'exact' || flat === undefined) continue
    if (decides(imported, flat) !== expected) wrong.push(name)
  }
  return { counts, wrong }
}

describe.each(publishedCases)('the published cases of $repository', ({ repository, read }) => {
  const clone = directory === undefined ? undefined : findClone(directory, repository)
  const why = directory === undefined ? 'PUBLISHED_CASES is not set' : 'there is no clone'

  const what = clone === undefined ? `skipped: ${why}` : 'decided as published where it is exact'

  it.skipIf(clone === undefined)(`are ${what}`, async ({ annotate }) => {
    const cases = read(clone ?? '')
    const { counts, wrong } = judge(cases)
    await annotate(`${repository}: ${cases.length} cases, ${JSON.stringify(counts)}`)
    expect(wrong).toEqual([])
    expect(counts.exact).toBeGreaterThan(0)
    // Control: an import that decides nothing is found each time.
    expect(judge(cases, () => undefined).wrong).toHaveLength(counts.exact)
  })
})
