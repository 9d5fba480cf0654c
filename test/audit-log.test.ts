import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { renderLines } from '../packages/server/src/audit/outlets/ndjson-outlet.ts'
import { root } from './architecture/source-files.ts'

const page = readFileSync(join(root, 'docs/guide/audit-log.md'), 'utf8')
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )

/** Lines of a log with the events of one organization between them. */
function linesOf(organization: string, count: number): string[] {
  const hashOf = (sequence: number) => Buffer.from(`${organization}${sequence}`)
  return renderLines({
    orgId: organization,
    newest: { sequence: count, hash: hashOf(count) },
    events: Array.from({ length: count }, (_, n) => ({
      sequence: n + 1,
      id: `evt_${n}`,
      micros: '1764100000123456',
      actor: { type: 'system', id: null, name: 'Signalbox' },
      action: 'key.created',
      target: { type: 'api_key', id: null, name: null },
      detail: {},
      requestId: null,
      ip: null,
      userAgent: null,
      previousHash: hashOf(n),
      hash: hashOf(n + 1),
    })),
  }).flatMap((line) => ['a line for people\n', '{"level":"info","message":"Request"}\n', line])
}

/** Runs a command of the page on `input` instead of its file. */
function run(command: string, input: string): string[] {
  const [, ...words] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare,
  )
  const args = words.slice(0, -1).map(String)
  const { stdout, stderr } = spawnSync('jq', args, { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}
const hasJq = spawnSync('jq', ['--version']).status === 0

describe('the guide of the audit log', () => {
  it('has configurations of the Collector that parse and name what they define', () => {
    const configurations = blocksOf('yaml').map((text) => parse(text) as Record<string, object>)
    expect(configurations.map((each) => Object.keys(each['exporters'] ?? {}))).toEqual([
      ['otlphttp/loki'],
      ['splunk_hec'],
    ])
    for (const { exporters = {}, service } of configurations) {
      expect(service).toMatchObject({
        pipelines: { logs: { receivers: ['otlp'], exporters: Object.keys(exporters) } },
      })
    }
  })

  it.skipIf(!hasJq)('finds the events between the lines of a log, and the gaps', () => {
    const commands = blocksOf('sh').filter((text) => text.startsWith('jq'))
    const [select = '', gaps = ''] = commands
    expect(commands).toHaveLength(2)
    const lines = [...linesOf('org_a', 5), ...linesOf('org_b', 3)]
    expect(run(select, lines.join(''))).toHaveLength(8)
    // A batch that came twice is no gap, and the whole log has none.
    expect(run(gaps, [...lines, ...lines].join(''))).toEqual([''])
    const lost = lines.filter((line) => !line.includes('"evt_2"') || !line.includes('org_a'))
    expect(run(gaps, lost.join(''))).toEqual(['org_a: events are missing before 4'])
  })
})
