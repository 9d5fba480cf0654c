import type { Size } from '../../bench/growth/sizes.ts'
import { table } from './markdown.ts'
import { renderDay, type Measurement } from './measurements-page.ts'

interface Growth {
  readonly sizes: readonly Size[]
  /** Holds what was measured at each size, by its name. */
  readonly curves: Readonly<Record<string, readonly number[]>>
}

/** Steeper than linear by more than a machine that is shared with others makes it. */
const steep = 1.15

function findMeasurement(all: readonly Measurement[], figure: string): Measurement {
  const found = all.find((each) => each.figure === figure)
  if (found === undefined) throw new Error(`There is no result of ${figure} in bench/results`)
  return found
}

/** Renders the curves as a table, with the slope of each, and what retention costs. */
export function renderGrowthPage(measurements: readonly Measurement[]): string {
  const record = findMeasurement(measurements, 'P7b')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as bench/growth.ts writes it
  const { sizes, curves } = record.measured as unknown as Growth
  const last = sizes.at(-1)
  const head = [
    'Deployments / API keys / organizations',
    ...sizes.map(
      ({ deployments, apiKeys, organizations }) =>
        `${count(deployments)} / ${count(apiKeys)} / ${organizations}`,
    ),
    'Slope',
  ]
  const rows = Object.entries(curves).map(([name, values]) => {
    const steepness = slopeOf(
      sizes.map(({ deployments }) => deployments),
      values,
    )
    const shown = steepness.toFixed(2)
    return [name, ...values.map(count), steepness > steep ? `**${shown}**` : shown]
  })
  return `# Growth

One server that grows to ${last?.organizations} organizations, each with a schema of 2,000 keys in four environments, ${count(last?.apiKeys ?? 0)} API keys and ${count(last?.deployments ?? 0)} deployments. One process answers people and one delivers, on the embedded PostgreSQL with its own settings. All deployments belong to one organization, because that is the
worst that lists and figures can meet; writes and reads go to all organizations. The keys and deployments are stored by SQL, everything else over the API, so each snapshot is published by the service itself. \`npm run bench -- growth\` measures again, in about a quarter of an hour, and \`npm run bench -- retention\` the last table.

Times are milliseconds, each the median (p50) of 25 to 400. *Slope* is that of the line from the first to the last size on logarithmic axes: 0 does not grow, 1 grows with the size, and more is worse than linear. *yardstick* is a request that no size changes: it says how fast the machine was. Of ${renderDay(record)}, at ${record.commit}, on two cores.

${table(head, rows)}

${record.remark ?? ''}

## What was worse than linear

- Charts read every failure of the organization once for each day: 6 seconds for a month with 200,000 deployments, and refused. The front page read every test run for each repository and environment, the search of the timeline every deployment. PostgreSQL did not use the indexes for them under row-level security; now it does.
- A delivery node reads all API keys by one statement, which had four seconds. The start with 500,000 deployments and 50,000 keys was measured so, and took 38 seconds because the read was given up and begun again. Such reads have a minute now, with which the last size was measured.
- Delivery figures and charts grow with the deployments of their period, here one a minute, until it is full. Lists, writes, reads and reports don't grow with the server, and the memory of a delivery node grows with the snapshots and keys that it holds.

${renderOldRows(findMeasurement(measurements, 'P13b'))}`
}

/** Renders what it costs to delete old rows. */
function renderOldRows(record: Measurement): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as bench/retention.ts writes it
  const retention = record.measured as Readonly<Record<string, number>>
  const row = (title: string, rows: string | undefined, ms: string, mebibytes: string) => [
    title,
    rows === undefined ? '' : count(retention[rows] ?? 0),
    seconds(retention[ms]),
    `${count(retention[mebibytes] ?? 0)} MiB`,
  ]
  return `## Old rows

Webhooks are in partitions of a week, and a whole week of them is dropped. What providers call them is in a small table. Its rows are deleted a thousand at a time, as everything else is. The table is of ${count(retention['webhooks'] ?? 0)} webhooks of two kilobytes in 45 days, of ${renderDay(record)}.

${table(
  ['', 'Rows', 'Time', 'Written ahead (WAL)'],
  [
    row('webhooks: whole weeks dropped', 'dropped', 'dropMs', 'dropWalMiB'),
    row('their ids deleted', 'deletedIds', 'idsMs', 'idsWalMiB'),
    row('vacuum of the ids afterwards', undefined, 'idsVacuumMs', 'idsVacuumWalMiB'),
    row(
      'results of old tests deleted by `SIGNALBOX_KEEP_TEST_RESULTS`',
      'deletedResults',
      'resultsMs',
      'resultsWalMiB',
    ),
    row(
      'old deployments deleted by `SIGNALBOX_KEEP_DEPLOYMENTS`, with what belongs to them',
      'deletedDeployments',
      'deploymentsMs',
      'deploymentsWalMiB',
    ),
  ],
)}

The partitions had ${count(retention['partedMiB'] ?? 0)} MiB before and ${count(retention['partedAfterMiB'] ?? 0)} after, and the ids ${count(retention['idsMiB'] ?? 0)}; a dropped partition gives its space back to the disk. [Decision 0112](../decisions/0112-old-deployments-go-by-setting.md) says how it works.

${table(
  ['', 'Median'],
  [
    ['200 webhooks stored together', milliseconds(retention['partedBatchMs'])],
    ['one webhook stored', milliseconds(retention['partedStoreMs'])],
    ['claimed by its job', milliseconds(retention['partedClaimMs'])],
    ['settled', milliseconds(retention['partedSettleMs'])],
  ],
)}
`
}

const count = (value: number) => value.toLocaleString('en')
const seconds = (ms = 0) => `${(ms / 1000).toFixed(1)} s`
const milliseconds = (ms = 0) => `${ms.toFixed(2)} ms`

function slopeOf(sizes: readonly number[], values: readonly number[]): number {
  const ratio = (all: readonly number[]) => (all.at(-1) ?? 1) / (all[0] ?? 1)
  return Math.log(ratio(values)) / Math.log(ratio(sizes))
}
