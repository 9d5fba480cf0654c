import type { Measurement } from '../../scripts/docs/measurements-page.ts'

/** Finds numbers that are claims about speed or size: a time, an amount of memory, or a share of something. */
const quotePattern = /\d[\d.,]*\s?(?:ms|µs|[kM]?B|MiB|bytes|x)(?![\w/])|\b\d\.\d+ of\b/g

/**
 * Lists the numbers of a text that no measurement of today's code holds. A line with such a number names its figure, for example
 * `(P4)`, so that this can look it up.
 */
export function listUnfoundedQuotes(
  text: string,
  measurements: readonly Pick<Measurement, 'figure' | 'found' | 'isOfToday'>[],
): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const quotes = line.match(quotePattern) ?? []
    const figures = line.match(/\bP\d+b?\b/g) ?? []
    if (figures.length === 0) return quotes.map((quote) => `${quote} is of no figure`)
    const named = figures.flatMap((figure) => measurements.filter((one) => one.figure === figure))
    const known = new Set(named.map(({ figure }) => figure))
    const holds = (quote: string) =>
      named.some(({ found }) => found.includes(/[\d.,]+/.exec(quote)?.[0] ?? ''))
    return [
      ...figures.filter((figure) => !known.has(figure)).map((one) => `There is no figure ${one}`),
      ...named
        .filter(({ isOfToday }) => !isOfToday)
        .map(({ figure }) => `${figure} is of older code`),
      ...(named.length === 0 ? [] : quotes.filter((quote) => !holds(quote))).map(
        (quote) => `${figures.join(', ')} has no ${quote}`,
      ),
    ]
  })
}
