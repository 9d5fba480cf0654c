import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMeasuredSources, isOfToday } from '../../bench/measured-code.ts'
import type { BenchRecord } from '../../bench/record.ts'
import { table } from './markdown.ts'

const root = join(import.meta.dirname, '../..')
const results = join(root, 'bench/results')

/** Holds a record, and whether it was measured on the code as it is now. */
export interface Measurement extends BenchRecord {
  readonly isOfToday: boolean
}

/** The records of `bench/results/`, by the number of their figure. */
export function readMeasurements(): Measurement[] {
  const sources = createMeasuredSources(root)
  return globSync('*.json', { cwd: results })
    .map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')) as BenchRecord)
    .map((record) => ({ ...record, isOfToday: isOfToday(record.code, sources) }))
    .sort((one, other) => one.figure.localeCompare(other.figure, 'en', { numeric: true }))
}

/** Renders the day of a measurement, and that the code has changed since where it has. */
export function renderDay({ at, isOfToday: isCurrent }: Pick<Measurement, 'at' | 'isOfToday'>) {
  const day = at.slice(0, 10)
  return isCurrent ? day : `${day}, measured on older code`
}

/** Renders the latest measurement of each figure, with the reason where it misses its target. */
export function renderMeasurementsPage(records: readonly Measurement[]): string {
  const rows = records.map((record) => [
    record.figure,
    record.what,
    record.reach,
    record.reached ? record.found : `**missed:** ${record.found}`,
    renderDay(record),
  ])
  const remarks = records.flatMap(({ figure, remark }) =>
    remark === undefined ? [] : [`**${figure}.** ${remark}`],
  )
  return `# Measurements

Measured by the scripts in \`bench/\`, each beside its yardstick in the same run, because machines that are shared with others are fast and
slow by turns: a ratio holds where a number does not. All on two cores of a virtual machine. The raw output, with the machine and the
commit, is in [bench/results](../../bench/results); \`npm run bench -- --all\` measures again. [Growth](../reference/README.md#growth) has the times of a server that grows.

Where both sides answer requests, they do so in turn, and the median of at least seven rounds counts: by requests a second, and by processor
time for an answer, which other work on the machine hardly changes. A figure is reached by both or not at all. *noisy* stands beside a ratio
whose two yardsticks differ by more than a tenth: then something else was measured as well, such as other work or a wait.

Each result keeps a hash of the code it was measured on: the bench, and all that it and the programs it starts import, without comments.
*Measured on older code* stands where that code is another one now: the figure may be as true as before, but nobody has looked.

${table(['Figure', 'What', 'To reach', 'Found', 'On'], rows)}

${remarks.join('\n\n')}
`
}
