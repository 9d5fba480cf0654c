import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodehostCommit } from '../../providers/codehosts/commit.ts'
import type { TrackerIssue } from '../../providers/tracker.ts'
import { recordCodehostEvent } from '../reports/record-codehost-event.ts'
import { recordCommits, type RecordCommits } from './record-commits.ts'
import { recordIssues } from '../issues/record-issues.ts'
import {
  buildDeployment,
  buildStatus,
  openDeployments,
  reported,
  type TestDeployments,
} from '../testing/open-deployments.ts'

let app: TestDeployments
let orgId: string
let first: string
let second: string

const succeed = async (number: number) => {
  const deployment = buildDeployment(number, { payloadText: 'WEB-1' })
  const event = reported(deployment, buildStatus(10 + number, 'success'))
  await recordCodehostEvent(app.deps, { orgId, event, source: 'webhook' })
  const [row] = await app.test.asOwner<{ id: string }>(
    'select id from deployments where org_id = $1 and external_id = $2',
    [orgId, deployment.externalId],
  )
  return row?.id ?? ''
}

beforeAll(async () => {
  app = await openDeployments()
})
afterAll(() => app.close())
beforeEach(async () => {
  orgId = (await app.addOrganization()).orgId
  first = await succeed(1)
  second = await succeed(2)
  app.emitted.length = 0
})

const commit = (digit: string, message: string): CodehostCommit => ({
  sha: digit.repeat(40),
  message,
  author: { name: 'Ada', login: 'ada' },
  at: null,
  url: null,
  parents: [],
})
const record = (
  status: RecordCommits['comparison']['status'],
  commits: readonly CodehostCommit[],
  baseDeploymentId: string | null = first,
) =>
  recordCommits(app.deps, {
    orgId,
    deploymentId: second,
    baseDeploymentId,
    comparison: { status, commits, total: commits.length, isTruncated: false },
  })
const deployment = async (id: string) => {
  const [row] = await app.test.asOwner(
    'select state, relation, range from deployments where org_id = $1 and id = $2',
    [orgId, id],
  )
  return row
}
const keys = async () =>
  Object.fromEntries(
    (
      await app.test.asOwner<{ key: string; state: string }>(
        'select key, state from deployment_issues where org_id = $1 and deployment_id = $2 order by key',
        [orgId, second],
      )
    ).map(({ key, state }) => [key, state]),
  )

describe('recordCommits', () => {
  it('keeps the commits, the range and the keys they name beside those of the payload', async () => {
    expect(await record('ahead', [commit('c', 'ABC-1 Add'), commit('d', 'ABC-2 Fix')])).toEqual({
      outcome: 'applied',
    })
    expect(await keys()).toEqual({ 'ABC-1': 'pending', 'ABC-2': 'pending', 'WEB-1': 'pending' })
    expect(await deployment(second)).toMatchObject({
      relation: 'forward',
      range: { status: 'ahead', total: 2, truncated: false },
    })
    expect(app.emitted).toContainEqual({ event: 'issues.changed', id: second })
  })

  it('replaces what it kept before', async () => {
    await record('ahead', [commit('c', 'ABC-1 Add'), commit('d', 'ABC-2 Fix')])
    await record('ahead', [commit('d', 'ABC-2 Fix')])
    expect(await keys()).toEqual({ 'ABC-2': 'pending', 'WEB-1': 'pending' })
  })

  it('marks what a later commit takes back', async () => {
    await record('ahead', [commit('c', 'ABC-1 Add'), commit('d', 'Revert "ABC-1 Add"')])
    expect(await keys()).toMatchObject({ 'ABC-1': 'reverted' })
  })

  it('knows a way back: the one before is rolled back, and its commits are taken out', async () => {
    await record('behind', [commit('c', 'ABC-1 Add'), commit('d', 'Revert "ABC-2 Fix"')])
    expect(await deployment(first)).toMatchObject({ state: 'rolled_back' })
    expect(await deployment(second)).toMatchObject({ state: 'success', relation: 'rollback' })
    expect(await keys()).toMatchObject({ 'ABC-1': 'reverted', 'ABC-2': 'pending' })
    expect(app.emitted).toContainEqual({ event: 'deployment.changed', id: first })
  })

  it('refuses what was compared with another base, and forgets it when the base changes', async () => {
    expect(await record('ahead', [], null)).toEqual({ outcome: 'stale' })
    await record('behind', [commit('c', 'ABC-1 Add')])
    const between = buildDeployment(7)
    const event = reported(
      between,
      buildStatus(11, 'success', { at: new Date(Date.UTC(2026, 10, 21, 6, 0, 11, 500)) }),
    )
    await recordCodehostEvent(app.deps, { orgId, event, source: 'webhook' })
    expect(await deployment(second)).toMatchObject({ relation: 'unknown', range: null })
    expect(await deployment(first)).toMatchObject({ state: 'superseded' })
  })

  it('answers for what is not there', async () => {
    const gone = { orgId, deploymentId: 'dep_gone', baseDeploymentId: null }
    const comparison = { status: null, commits: [], total: 0, isTruncated: false }
    expect(await recordCommits(app.deps, { ...gone, comparison })).toEqual({ outcome: 'absent' })
  })
})

describe('recordIssues', () => {
  const issue = (externalId: string, key: string): TrackerIssue => ({
    externalId,
    key,
    title: `Title of ${key}`,
    type: 'Story',
    status: 'Done',
    statusCategory: 'done',
    assignee: null,
    priority: null,
    url: `https://acme.atlassian.net/browse/${key}`,
  })
  const link = (...lookups: Parameters<typeof recordIssues>[1]['lookups']) =>
    recordIssues(app.deps, { orgId, deploymentId: second, siteId: 'site', lookups })

  it('links, follows an issue that moved, and says what is not there', async () => {
    await record('ahead', [commit('c', 'ABC-1 ABC-2 ABC-3')])
    await link(
      { key: 'ABC-1', outcome: 'found', issue: issue('1', 'ABC-1') },
      { key: 'ABC-2', outcome: 'moved', issue: issue('2', 'NEW-9') },
      { key: 'ABC-3', outcome: 'absent' },
    )
    expect(await keys()).toMatchObject({
      'ABC-1': 'linked',
      'ABC-2': 'linked',
      'ABC-3': 'not_found',
    })
  })

  it('tells an issue that is not shown any more from one that never was', async () => {
    await record('ahead', [commit('c', 'ABC-1')])
    await link({ key: 'ABC-1', outcome: 'found', issue: issue('1', 'ABC-1') })
    await link({ key: 'ABC-1', outcome: 'absent' })
    expect(await keys()).toMatchObject({ 'ABC-1': 'forbidden' })
  })

  it('links what was taken back without calling it shipped', async () => {
    await record('ahead', [commit('d', 'Revert "ABC-1 Add"')])
    await link({ key: 'ABC-1', outcome: 'found', issue: issue('1', 'ABC-1') })
    expect(await keys()).toMatchObject({ 'ABC-1': 'reverted' })
  })

  it('takes two keys that are one issue by now', async () => {
    await record('ahead', [commit('c', 'ABC-1 ABC-2')])
    const moved = issue('1', 'NEW-1')
    expect(
      await link(
        { key: 'ABC-1', outcome: 'moved', issue: moved },
        { key: 'ABC-2', outcome: 'moved', issue: moved },
      ),
    ).toEqual(['ABC-1', 'ABC-2'])
  })

  it('changes nothing when it is repeated', async () => {
    await record('ahead', [commit('c', 'ABC-1')])
    await link({ key: 'ABC-1', outcome: 'found', issue: issue('1', 'ABC-1') })
    expect(await link({ key: 'ABC-1', outcome: 'found', issue: issue('1', 'ABC-1') })).toEqual([])
  })
})
