import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchRecord } from '../../bench/record.ts'
import { table } from './markdown.ts'

const results = join(import.meta.dirname, '../../bench/results')

/** The records of `bench/results/`, by the number of their figure. */
export function readBenchRecords(): BenchRecord[] {
  return globSync('*.json', { cwd: results })
    .map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')) as BenchRecord)
    .sort((one, other) => one.figure.localeCompare(other.figure, 'en', { numeric: true }))
}

/** Renders the latest measurement of each figure, with the reason where it misses its target. */
export function renderMeasurementsPage(): string {
  const records = readBenchRecords()
  const rows = records.map(({ figure, what, reach, found, reached, at }) => [
    figure,
    what,
    reach,
    reached ? found : `**missed:** ${found}`,
    at.slice(0, 10),
  ])
  const newest =
    records
      .map(({ at }) => at.slice(0, 10))
      .toSorted()
      .at(-1) ?? ''
  const remarks = records.flatMap(({ figure, remark }) =>
    remark === undefined ? [] : [`**${figure}.** ${remark}`],
  )
  return `# Measurements

Measured by the scripts in \`bench/\`, each beside its yardstick in the same run, because machines that are shared with others are fast and
slow by turns: a ratio holds where a number does not. All on two cores of a virtual machine. The raw output, with the machine and the
commit, is in [bench/results](../../bench/results); \`npm run bench\` measures again. [Growth](../reference/README.md#growth) has the times of a server that grows.
The newest figures are of ${newest}. An older one may be of code that has changed since.

${table(['Figure', 'What', 'To reach', 'Found', 'On'], rows)}

${remarks.join('\n\n')}
`
}
