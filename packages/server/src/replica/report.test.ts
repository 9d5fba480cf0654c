import { describe, expect, it } from 'vitest'
import {
  keepOwnUses,
  parseReport,
  renderReport,
  reportLimits,
  type NodeReport,
  type ReplicaReport,
} from './report.ts'

const node: NodeReport = {
  name: 'edge-1:4401',
  version: '1.2.3',
  carrier: 'relay',
  fedBy: 'config.example.com',
  snapshots: 12,
  ageSeconds: 1,
  fault: null,
  stopping: false,
  agoSeconds: 0,
}
const use = { orgId: 'org_1', keyId: 'key_1', usedAtMs: 1_764_158_817_123 }
const report: ReplicaReport = { nodes: [node], uses: [use] }
const parse = (changed: object) => parseReport(JSON.stringify(changed))

describe('a report', () => {
  it('comes back as it was rendered, and without fields of a later version', () => {
    expect(parseReport(renderReport(report))).toEqual(report)
    const later = { ...report, nodes: [{ ...node, region: 'eu' }], kind: 2 }
    expect(parse(later)).toEqual(report)
  })

  it('is refused where it is no report, or longer than it may be', () => {
    expect(parseReport('')).toBeUndefined()
    expect(parseReport('[]')).toBeUndefined()
    const nodes = Array.from({ length: reportLimits.nodes + 1 }, () => node)
    const uses = Array.from({ length: reportLimits.uses + 1 }, () => use)
    expect([parse({ ...report, nodes }), parse({ ...report, uses })]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('cannot break a line of a log, nor fill a page', () => {
    for (const name of ['edge\n1', 'edge\u001b[2J', 'e'.repeat(101), '']) {
      expect([name, parse({ ...report, nodes: [{ ...node, name }] })]).toEqual([name, undefined])
    }
    const fault = 'f'.repeat(501)
    expect(parse({ ...report, nodes: [{ ...node, fault }] })).toBeUndefined()
  })
})

describe('the uses that a node may report', () => {
  const nowMs = use.usedAtMs + 1_000
  const keys = new Map([
    ['key_1', { orgId: 'org_1', environmentIds: null }],
    ['key_2', { orgId: 'org_1', environmentIds: ['env_1', 'env_2'] }],
    ['key_3', { orgId: 'org_1', environmentIds: ['env_3'] }],
    ['key_4', { orgId: 'org_2', environmentIds: null }],
  ])
  const scope = { orgIds: new Set(['org_1']), environmentIds: new Set(['env_1']) }
  const keep = (uses: readonly (typeof use)[], within: Parameters<typeof keepOwnUses>[1] = scope) =>
    keepOwnUses(uses, within, { findKey: (keyId) => keys.get(keyId), nowMs })

  it('are of known keys in its organization and environments', () => {
    const uses = ['key_1', 'key_2', 'key_3', 'key_4', 'key_5'].flatMap((keyId) =>
      ['org_1', 'org_2'].map((orgId) => ({ ...use, orgId, keyId })),
    )
    expect(keep(uses).map(({ orgId, keyId }) => `${orgId} ${keyId}`)).toEqual([
      'org_1 key_1',
      'org_1 key_2',
    ])
    // Control: without the scope the others are kept, each in its own organization.
    expect(keep(uses, { orgIds: null, environmentIds: null })).toHaveLength(4)
  })

  it('are never of the future', () => {
    expect(keep([{ ...use, usedAtMs: nowMs + 1 }])).toEqual([{ ...use, usedAtMs: nowMs }])
  })
})
