import type { StagedCommit } from '../models/code-host.ts'
import type { NameIssue, StoryIssue } from './story-issues.ts'

interface PlannedCommit {
  readonly issue?: StoryIssue
  readonly subject: string
  readonly body?: (nameIssue: NameIssue) => string
  readonly path: string
}

/** Lists the commits of the shop: some name issues, some only seem to. */
const commits: readonly PlannedCommit[] = [
  {
    issue: 'ABC-1',
    subject: 'Keep the currency of the basket',
    path: 'src/basket/currency.ts',
  },
  {
    issue: 'ABC-2',
    subject: 'Show the delivery date on each item',
    path: 'src/delivery/date.ts',
  },
  {
    issue: 'WEB2-1',
    subject: 'Rewrite the start page',
    body: () => 'Its texts are read as UTF-8 from now on.',
    path: 'src/start/page.ts',
  },
  { issue: 'ABC-3', subject: 'Remove the old checkout', path: 'src/checkout/old.ts' },
  {
    subject: 'Round prices as the cash desk does',
    body: (nameIssue) => `Part of ${nameIssue('ABC-2')}. Receipts keep their SHA-256.`,
    path: 'src/price/round.ts',
  },
]

/** Holds an endless supply of commits: it begins again after the last. */
export interface CommitMessages {
  take(count: number, nameIssue: NameIssue): StagedCommit[]
  reset(): void
}

/** Creates the supply at its beginning. */
export function createCommitMessages(): CommitMessages {
  let taken = 0
  return {
    take: (count, nameIssue) =>
      Array.from({ length: count }, () => {
        const planned = commits[taken++ % commits.length]
        if (planned === undefined) throw new Error('There are no commits')
        return { message: toMessage(planned, nameIssue), modified: [planned.path] }
      }),
    reset() {
      taken = 0
    },
  }
}

function toMessage({ issue, subject, body }: PlannedCommit, nameIssue: NameIssue): string {
  const name = issue && nameIssue(issue)
  const line =
    name === undefined
      ? subject
      : name.includes('#')
        ? `${subject} (${name})`
        : `${name} ${subject}`
  return body === undefined ? line : `${line}\n\n${body(nameIssue)}`
}
