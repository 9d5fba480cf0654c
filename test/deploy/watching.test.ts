import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { root } from '../architecture/source-files.ts'
import { parseExpression, type Selector } from './promql.ts'
import { listServedMetrics, recorders } from './served-metrics.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const ruleFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Signalbox[A-Z]\w+$/),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
})
const rules = ruleFile
  .parse(parse(read('deploy/prometheus/signalbox.rules.yaml')))
  .groups.flatMap((group) => group.rules)

const dashboard = z
  .object({
    uid: z.literal('signalbox'),
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
        targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
      }),
    ),
    templating: z.object({
      list: z.array(z.object({ name: z.string(), definition: z.string().optional() })),
    }),
  })
  .parse(JSON.parse(read('deploy/grafana/signalbox.json')))

interface Watched {
  readonly place: string
  readonly expr: string
  /** Holds the texts that show labels of the result. */
  readonly texts: readonly string[]
}

const watched: readonly Watched[] = [
  ...rules.map(({ alert, expr, annotations }) => ({
    place: alert,
    expr,
    texts: Object.values(annotations),
  })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ place: title, expr, texts: [legendFormat] })),
  ),
]

const served = await listServedMetrics()
/** Lists the labels that Prometheus adds to each series, and the metric that it makes of each answer. */
const ofPrometheus = ['job', 'instance']

function labelsOf(metric: string): readonly string[] | undefined {
  if (metric === 'up') return ofPrometheus
  const labels = served.get(metric)
  return labels && [...labels.keys(), ...ofPrometheus]
}

/** Returns what a selector asks for that no node serves, and labels that its metric cannot be grouped by. */
function faultsOfSelector({ metric, matchers }: Selector, groups: readonly string[]): string[] {
  const labels = labelsOf(metric)
  if (labels === undefined) return [`asks for ${metric}`]
  const isServed = ({ label, op, value }: Selector['matchers'][number]) =>
    op !== '=' || (served.get(metric)?.get(label)?.has(value) ?? true)
  return [
    ...matchers
      .filter(({ label }) => !labels.includes(label))
      .map(({ label }) => `asks ${metric} for the label ${label}`),
    ...matchers
      .filter((matcher) => !isServed(matcher))
      .map(({ label, value }) => `asks ${metric} for ${label}="${value}"`),
    ...groups
      .filter((label) => !labels.includes(label))
      .map((label) => `groups ${metric} by ${label}`),
  ]
}

/** Returns what an expression asks for that no node serves, and labels in its texts that its result does not have. */
function faultsOf({ place, expr, texts }: Watched): string[] {
  const { selectors, keeps, faults } = parseExpression(expr)
  const found = [
    ...faults.map((fault) => `is no PromQL: ${fault}`),
    ...selectors.flatMap((selector) => faultsOfSelector(selector, keeps ?? [])),
  ]
  const all = selectors.flatMap(({ metric }) => labelsOf(metric) ?? [])
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label),
  )
  for (const label of shown)
    if (!(keeps ?? all).includes(label)) found.push(`shows the label ${label}`)
  return found.map((fault) => `${place} ${fault}`)
}

describe('the alert rules and the dashboard', () => {
  it('ask for metrics, labels and values that a node serves', () => {
    expect(watched.length).toBeGreaterThan(40)
    expect(watched.flatMap(faultsOf)).toEqual([])
  })

  it.each([
    ['rate(signalbox_request_seconds_count[5m])', 'a asks for signalbox_request_seconds_count'],
    [
      'signalbox_streams_open{reader="browser"}',
      'a asks signalbox_streams_open for the label reader',
    ],
    [
      'signalbox_streams_open{audience="people"}',
      'a asks signalbox_streams_open for audience="people"',
    ],
    ['sum by (queue) (signalbox_snapshots)', 'a groups signalbox_snapshots by queue'],
    ['sum by (audience) (signalbox_streams_open', expect.stringContaining('a is no PromQL')],
  ])('control: %s is found', (expr, fault) => {
    expect(faultsOf({ place: 'a', expr, texts: [] })).toContainEqual(fault)
  })

  it('control: a legend with a label that the sum has not kept is found', () => {
    const expr = 'sum by (audience) (signalbox_streams_open)'
    expect(
      faultsOf({ place: 'a', expr, texts: ['{{audience}}', '{{ $labels.instance }}'] }),
    ).toEqual(['a shows the label instance'])
  })

  it('leave no metric of the service unwatched', () => {
    const asked = new Set(
      watched.flatMap(({ expr }) => parseExpression(expr).selectors).map(({ metric }) => metric),
    )
    const own = [...served.keys()].filter((name) => name.startsWith('signalbox_'))
    const families = new Set(own.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
    const unwatched = [...families].filter(
      (family) => ![...asked].some((metric) => metric.startsWith(family)),
    )
    expect(unwatched).toEqual([])
  })
})

describe('the metrics of a node', () => {
  it('have no label that Prometheus would rename', () => {
    const taken = [...served].filter(([, labels]) =>
      ofPrometheus.some((label) => labels.has(label)),
    )
    expect(taken.map(([name]) => name)).toEqual([])
  })

  it('are each recorded by the service', () => {
    const paths = globSync('packages/server/src/**/*.ts', { cwd: root }).filter(
      (path) => !/\/testing\/|\.test\.ts$|telemetry\/metrics\.ts$/.test(path),
    )
    const sources = paths.map(read).join('\n')
    expect(recorders.filter((name) => !sources.includes(`metrics.${name}(`))).toEqual([])
  })
})

describe('the dashboard', () => {
  it('has panels that do not overlap, each with a number of its own, within 24 columns', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  it('offers nodes and jobs out of a metric that every node has', () => {
    const asked = dashboard.templating.list.flatMap(({ definition }) => definition ?? [])
    expect(asked).toHaveLength(2)
    for (const definition of asked) expect(definition).toContain('label_values(signalbox_info')
  })
})

const promtool = await findTool('promtool')
if ('reason' in promtool) console.warn(`SKIPPED: the alert rules are not run. ${promtool.reason}`)

describe.skipIf('reason' in promtool)('promtool', () => {
  const run = (...args: string[]) =>
    execFileSync('path' in promtool ? promtool.path : '', args, {
      cwd: join(root, 'deploy/prometheus'),
      encoding: 'utf8',
    })

  it('accepts the rules, and has each alarm in the cases of their test', () => {
    expect(run('check', 'rules', 'signalbox.rules.yaml')).toContain(
      `SUCCESS: ${rules.length} rules`,
    )
    expect(run('test', 'rules', 'signalbox.rules.test.yaml')).toContain('SUCCESS')
  })
})
