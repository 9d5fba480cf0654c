import { endpoints } from '@signalbox/contract/rest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLost, listFields } from './architecture/contract-fields.ts'
import {
  declaration,
  misplacedEndpoints,
  unexplainedTopics,
} from './architecture/contract-rules.ts'
import { parseSource, readSourceFiles, showFindings } from './architecture/source-files.ts'
import { findOlderCommit, unpackRelease } from './testing/balanced/older-release.ts'

const files = readSourceFiles()

describe('an endpoint stands in the file of the contract that is named after the feature serving it', () => {
  it('and is in the table of all endpoints', () => {
    const declared = files
      .filter(({ path }) =>
        /^packages\/contract\/src\/rest\/.*(?<!\.test|\.test-d)\.ts$/.test(path),
      )
      .flatMap(({ text }) => text.match(declaration) ?? [])
    expect(declared.toSorted()).toEqual(Object.keys(endpoints).toSorted())
    expect(showFindings(misplacedEndpoints(files))).toEqual([])
  })

  it('control: one that another feature serves is found, and one that nothing serves', () => {
    const broken = [
      parseSource(
        'packages/contract/src/rest/overview/search.ts',
        ['listMembers', 'search', 'lost'].map((name) => `  ${name}: {\n    path: '/',\n`).join(''),
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
      'packages/contract/src/rest/overview/search.ts:1 listMembers is served by identity',
      'packages/contract/src/rest/overview/search.ts:5 lost is served by nothing',
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

const olderCommit = await findOlderCommit()
const olderMissing = olderCommit === undefined ? ' (skipped: this clone has no older release)' : ''

describe('what an older release answers and takes', () => {
  const changes = readFileSync('CHANGELOG.md', 'utf8')

  it.skipIf(olderMissing)(
    `is there, or the list of changes names what is gone${olderMissing}`,
    async () => {
      const release = await unpackRelease(olderCommit ?? '')
      const older: { readonly endpoints: Parameters<typeof listFields>[0] } = await import(
        join(release.root, 'packages/contract/src/rest/index.ts')
      )
      const fields = listFields(older.endpoints)
      await release.close()
      expect(fields.size).toBeGreaterThan(4_000)
      expect(findLost(fields, listFields(endpoints), changes)).toEqual([])
    },
  )

  it('control: an endpoint, a field and a parameter that are gone are found, unless they are named', () => {
    const { listProviderApps, listAuditEvents, ...others } = endpoints
    const { response, ...withoutAnswer } = listProviderApps
    const latest = listFields({
      ...others,
      listProviderApps: { ...withoutAnswer, response: { status: response.status } },
    })
    const lost = findLost(listFields(endpoints), latest, 'There is no `registerUrl` any more.')
    expect(lost).toContain('GET /server/provider-apps answers items[].displayName')
    expect(lost).not.toContain('GET /server/provider-apps answers items[].registerUrl')
    expect(lost).toContain(`GET ${listAuditEvents.path.replace('{org_id}', '{}')}`)
    expect(lost).toContain(`GET ${listAuditEvents.path.replace('{org_id}', '{}')} takes action`)
  })
})
