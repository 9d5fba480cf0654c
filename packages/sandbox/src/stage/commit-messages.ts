import type { StagedCommit } from '../code-host.ts'

/** Lists the commits of the shop: some name issues of the seeded site, some only seem to. */
const messages = [
  ['ABC-1 Keep the currency of the basket', 'src/basket/currency.ts'],
  ['ABC-2 Show the delivery date on each item', 'src/delivery/date.ts'],
  [
    'WEB2-1 Rewrite the start page\n\nIts texts are read as UTF-8 from now on.',
    'src/start/page.ts',
  ],
  ['ABC-3 Remove the old checkout', 'src/checkout/old.ts'],
  [
    'Round prices as the cash desk does\n\nPart of ABC-2. Receipts keep their SHA-256.',
    'src/price/round.ts',
  ],
] as const

/** Creates an endless supply of commits: it begins again after the last. */
export function createCommitMessages(): { take(count: number): StagedCommit[]; reset(): void } {
  let taken = 0
  return {
    take: (count) =>
      Array.from({ length: count }, () => {
        const [message, path] = messages[taken++ % messages.length] ?? messages[0]
        return { message, modified: [path] }
      }),
    reset() {
      taken = 0
    },
  }
}
