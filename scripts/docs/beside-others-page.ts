import { compareLines, type Comparison } from '../../bench/peers/beside.ts'
import { table } from './markdown.ts'
import { renderDay, type Measurement } from './measurements-page.ts'

/** Lists the sections of the page, each of one figure. */
const sections = [
  {
    figure: 'P16',
    title: 'Deciding flags in your process',
    about:
      'Each product gets the same 200 flags, written in its own format. A quarter have no rules, a quarter are on for two plans, a quarter have two rules about a text and a number, and a quarter are on for one plan and for 30 % of everyone else. Before anything is timed, the bench compares the decisions for 300 users. They have to be equal, except for who is in the 30 %, because each product hashes users in its own way. Each client runs in its own process, one after the other. The tables show the median. Speeds are decisions per second of processor time.',
  },
  {
    figure: 'P10b',
    title: 'In the browser',
    about:
      'The size is that of a page that reads one flag, bundled and minified by esbuild, then compressed with gzip. The requests are those that Chromium sends until the page knows the flag. The server answers immediately. Live streams and CORS preflights are not counted.',
  },
  {
    figure: 'P17',
    title: 'The server',
    about:
      'Signalbox and Unleash both start as their users start them, on the same PostgreSQL, with the same 200 flags. The load comes over 32 connections from another core. Unleash is the only other server here that npm carries: Flipt, Flagsmith and GrowthBook come as containers, flagd as a binary, and LaunchDarkly and ConfigCat are hosted services. Signalbox’s clients hold a stream open, and Unleash’s clients poll. The memory that 10,000 of either need isn’t measured yet.',
  },
]

/** Renders what was measured beside other products, and where we are behind. */
export function renderBesideOthersPage(measurements: readonly Measurement[]): string {
  const parts = sections.flatMap(({ figure, title, about }) => {
    const record = measurements.find((one) => one.figure === figure)
    return record === undefined ? [] : [`## ${title}\n\n${about}\n\n${renderComparison(record)}`]
  })
  return `# How fast, beside others

This page compares Signalbox with the products that you might pick instead. Everything comes from npm and runs on the same machine, in the same run. Below each table stands what was switched off. \`npm run bench -- peers\` measures again, and [bench/results](../../bench/results) keeps the raw output. The best value of each column is bold.

${parts.join('\n\n')}

## Webhooks

Signalbox stores a webhook before it answers, as Probot does with a listener that writes to PostgreSQL: [P6](README.md#measurements).

## What the others have and Signalbox doesn’t

Speed is rarely the reason to pick one of these products. LaunchDarkly, GrowthBook, Flagsmith, ConfigCat, Unleash and PostHog count who saw which variant, and most of them run experiments with those counts. Signalbox doesn’t. Their flags have variants of any type. A flag of Signalbox is on or off, and values stand beside it. They have their own client libraries for many languages and for phones. Signalbox has one for JavaScript, and reaches every other language through OpenFeature. LaunchDarkly, Flipt, Unleash and ConfigCat also offer a proxy or a CDN close to users. With Signalbox you use your own cache or CDN.
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
        `- **Behind ${best.name}: ${column.title}.** ${column.why ?? 'The reason isn’t known yet.'}`,
    )
  return [
    table(['', 'Version', ...columns.map(({ title }) => title)], rows),
    `Measured on ${renderDay(record)}.`,
    ...(behind.length > 0 ? [behind.join('\n')] : []),
    lines.map(({ name, setup }) => `- ${name}: ${setup}.`).join('\n'),
  ].join('\n\n')
}
