import { endpoints } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { misplacedEndpoints, unexplainedTopics } from './architecture/contract-rules.ts'
import { parseSource, readSourceFiles, showFindings } from './architecture/source-files.ts'

const files = readSourceFiles()

describe('an endpoint stands in the file of the contract that is named after the feature serving it', () => {
  it('and is in the table of all endpoints', () => {
    const declared = files
      .filter(({ path }) =>
        /^packages\/contract\/src\/rest\/.*(?<!\.test|\.test-d)\.ts$/.test(path),
      )
      .flatMap(({ text }) => [...text.matchAll(/operationId: '(\w+)'/g)].map(([, name]) => name))
    expect(declared.toSorted()).toEqual(Object.keys(endpoints).toSorted())
    expect(showFindings(misplacedEndpoints(files))).toEqual([])
  })

  it('control: one that another feature serves is found, and one that nothing serves', () => {
    const broken = [
      parseSource(
        'packages/contract/src/rest/overview/search.ts',
        "{\n  operationId: 'listMembers',\n  operationId: 'search',\n  operationId: 'lost',\n}",
      ),
      parseSource(
        'packages/server/src/identity/members/routes.ts',
        'router.add(endpoints.listMembers, {})',
      ),
      parseSource(
        'packages/server/src/overview/routes.ts',
        'router.addRaw(searchEndpoints.search, {})',
      ),
    ]
    expect(showFindings(misplacedEndpoints(broken))).toEqual([
      'packages/contract/src/rest/overview/search.ts:2 listMembers is served by identity',
      'packages/contract/src/rest/overview/search.ts:4 lost is served by nothing',
    ])
  })
})

describe('an endpoint without topics has the reason beside it', () => {
  it('in every file', () => {
    expect(showFindings(files.flatMap(unexplainedTopics))).toEqual([])
  })

  it('control: one without a comment above it is found', () => {
    const path = 'packages/contract/src/rest/live.ts'
    const text = 'a = {\n  // Good once.\n  topics: [],\n}\nb = {\n  topics: [],\n}'
    expect(showFindings(unexplainedTopics(parseSource(path, text)))).toEqual([
      `${path}:6 says of no topic why`,
    ])
  })
})
