import { describe, expect, it } from 'vitest'
import {
  parseReport,
  renderReport,
  reportLimits,
  type ReplicaReport,
} from '../../replica/report.ts'
import type { KeyUse } from '../http/key-uses.ts'
import { createReporter } from './reporter.ts'

const own = {
  name: 'edge-1:4401',
  version: '1.2.3',
  carrier: 'relay',
  fedBy: 'config.example.com',
  snapshots: 1,
  ageSeconds: 0,
  fault: null,
} as const

function open() {
  let clock = new Date('2026-11-21T06:00:00Z')
  let uses: KeyUse[] = []
  let isAway = false
  const sent: ReplicaReport[] = []
  const warnings: string[] = []
  const reporter = createReporter({
    describe: () => own,
    takeUses: () => uses.splice(0),
    async send(report) {
      if (isAway) throw new Error('away')
      const read = parseReport(renderReport(report))
      if (read === undefined) throw new Error('It is no report')
      sent.push(read)
    },
    now: () => clock,
    log: { warn: (message) => void warnings.push(message) },
    intervalMs: 1,
  })
  return {
    reporter,
    sent,
    warnings,
    use: (keyId: string) => void uses.push({ orgId: 'org_1', keyId, usedAt: clock }),
    pass: (ms: number) => (clock = new Date(clock.getTime() + ms)),
    setAway: (away: boolean) => (isAway = away),
  }
}

const below = (name: string) => ({ ...own, name, stopping: false, agoSeconds: 1 })
const keysOf = (reports: readonly ReplicaReport[]) =>
  reports.flatMap(({ uses }) => uses.map(({ keyId }) => keyId))

describe('a reporter', () => {
  it('sends each use once, and keeps it while nobody takes it', async () => {
    const { reporter, sent, use, setAway } = open()
    use('key_1')
    setAway(true)
    await expect(reporter.flush()).rejects.toThrow('away')
    use('key_2')
    setAway(false)
    await reporter.flush()
    await reporter.flush()
    expect(keysOf(sent)).toEqual(['key_1', 'key_2'])
    expect(sent.map(({ nodes }) => nodes)).toEqual([
      [{ ...own, stopping: false, agoSeconds: 0 }],
      [{ ...own, stopping: false, agoSeconds: 0 }],
    ])
  })

  it('sends more uses than a report holds in several reports', async () => {
    const { reporter, sent, use } = open()
    for (let at = 0; at < reportLimits.uses + 1; at += 1) use(`key_${at}`)
    await reporter.flush()
    expect(sent.map(({ nodes, uses }) => [nodes.length, uses.length])).toEqual([
      [1, reportLimits.uses],
      [0, 1],
    ])
  })

  it('passes on once what nodes below report, as much older as it has waited', async () => {
    const { reporter, sent, pass } = open()
    reporter.take({
      nodes: [below('edge-2:4401')],
      uses: [{ orgId: 'org_1', keyId: 'key_1', usedAtMs: 1 }],
    })
    pass(30_000)
    await reporter.flush()
    await reporter.flush()
    expect(sent[0]?.nodes.map(({ name, agoSeconds }) => [name, agoSeconds])).toEqual([
      ['edge-1:4401', 0],
      ['edge-2:4401', 31],
    ])
    expect([keysOf(sent), sent[1]?.nodes.length]).toEqual([['key_1'], 1])
  })

  it('takes no more nodes and uses from below than it can pass on', async () => {
    const { reporter, sent } = open()
    for (let part = 0; part < 20; part += 1) {
      const ids = Array.from({ length: reportLimits.uses }, (_, at) => `key_${part}x${at}`)
      reporter.take({
        nodes: Array.from({ length: 50 }, (_, at) => below(`edge-${part}-${at}`)),
        uses: ids.map((keyId) => ({ orgId: 'org_1', keyId, usedAtMs: 1 })),
      })
    }
    await reporter.flush()
    expect([sent[0]?.nodes.length, keysOf(sent).length]).toEqual([reportLimits.nodes, 5_000])
  })

  it('says at the end that the node stops, and warns once while nobody takes its reports', async () => {
    const { reporter, sent, warnings, setAway } = open()
    setAway(true)
    reporter.start(Promise.resolve())
    await expect.poll(() => warnings.length).toBe(1)
    setAway(false)
    await expect.poll(() => sent.length).toBeGreaterThan(1)
    await reporter.close()
    expect([sent.at(-1)?.nodes[0]?.stopping, warnings.length]).toEqual([true, 1])
  })
})
