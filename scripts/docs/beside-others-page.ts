import { compareLines, type Comparison } from '../../bench/peers/beside.ts'
import { table } from './markdown.ts'
import { renderDay, type Measurement } from './measurements-page.ts'

/** Lists the sections of the page, each of one figure. */
const sections = [
  {
    figure: 'P16',
    title: 'Deciding flags in your process',
    about:
      'The same 200 flags in the words of each product: a quarter without rules, a quarter for two plans, a quarter with two rules of text and number, a quarter for one plan and 30 % of everyone else. The decisions of 300 users are compared first: equal, except for who is in the 30 %, which each product deals in its own way. Each client runs in a process of its own, in turn, and the median counts. Speeds are decisions in a second of processor time.',
  },
  {
    figure: 'P10b',
    title: 'In the browser',
    about:
      'A page that reads one flag, bundled and minified by esbuild, and compressed. The requests are those that Chromium sends until the flag is known, with a server that answers at once, without live streams and the preflights that a server at another origin gets.',
  },
  {
    figure: 'P17',
    title: 'The server',
    about:
      'Signalbox and Unleash as users start them, each on the same PostgreSQL with the same 200 flags. Reads are sent on 32 connections from another core. npm has no other server of these products: Flipt, Flagsmith and GrowthBook come as containers, flagd as a binary, LaunchDarkly and ConfigCat as a service. Clients of Signalbox hold a stream, those of Unleash poll: how much memory ten thousand of either take is not measured yet.',
  },
]

/** Renders what was measured beside other products, and where we are behind. */
export function renderBesideOthersPage(measurements: readonly Measurement[]): string {
  const parts = sections.flatMap(({ figure, title, about }) => {
    const record = measurements.find((one) => one.figure === figure)
    return record === undefined ? [] : [`## ${title}\n\n${about}\n\n${renderComparison(record)}`]
  })
  return `# How fast, beside others

Signalbox beside what you would pick instead, everything from npm, in the same run on the same machine, with only that switched off which the tables name. \`npm run bench -- peers\` measures again, and [bench/results](../../bench/results) keeps the raw output. The best of each column is bold.

${parts.join('\n\n')}

## Webhooks

Signalbox stores a webhook before it answers, as Probot does with a listener that writes to PostgreSQL: [P6](README.md#measurements).

## What the others do more

The speed of a read is rarely why one picks a product. LaunchDarkly, GrowthBook, Flagsmith, ConfigCat, Unleash and PostHog count who saw which variant, and most of them run experiments on that; Signalbox does not. Their flags have variants of any type, ours are on or off, with values beside them. They have client libraries of their own in many languages and for phones; ours is for JavaScript, and every other language goes through OpenFeature. LaunchDarkly, Flipt, Unleash and ConfigCat also have a proxy or a CDN close to users, where Signalbox leaves that to your cache or CDN.
`
}

/** Renders a comparison as a table, with what is behind and why. */
function renderComparison(record: Measurement): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as bench/peers/beside.ts writes it
  const comparison = record.measured as unknown as Comparison
  const { columns, lines } = comparison
  const bests = columns.map(({ better }, at) => {
    const values = lines.flatMap(({ values }) => values[at] ?? [])
    return better === 'more' ? Math.max(...values) : Math.min(...values)
  })
  const rows = lines.map(({ name, version, values }) => [
    name,
    version,
    ...values.map((value, at) => {
      const shown = value?.toLocaleString('en') ?? '–'
      return value === bests[at] ? `**${shown}**` : shown
    }),
  ])
  const behind = compareLines(comparison)
    .filter(({ isAhead }) => !isAhead)
    .map(
      ({ column, best }) =>
        `- **Behind ${best.name}: ${column.title}.** ${column.why ?? 'Nobody has found out why.'}`,
    )
  return [
    table(['', 'Version', ...columns.map(({ title }) => title)], rows),
    `Measured on ${renderDay(record)}.`,
    ...(behind.length > 0 ? [behind.join('\n')] : []),
    lines.map(({ name, setup }) => `- ${name}: ${setup}.`).join('\n'),
  ].join('\n\n')
}
