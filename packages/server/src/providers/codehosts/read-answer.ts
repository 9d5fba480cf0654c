import type { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { parseAnswer, readProviderJson } from '../call-provider.ts'
import type { CodehostCommit } from './commit.ts'
import type { CodehostPage } from './repository.ts'

/**
 * Returns the body of an answer in the form that is needed. JSON of another form counts as a provider in trouble.
 *
 * @throws {ProviderError}
 */
export function readAnswerOf<Shape extends z.ZodType>(
  provider: string,
  answer: OutboundAnswer,
  shape: Shape,
): z.output<Shape> {
  return parseAnswer(provider, shape, readProviderJson(provider, answer))
}

/** Describes a page of a list as it was read. */
export interface ReadPage<Item> extends CodehostPage<Item> {
  /** Counts the items that were left out, because they have not the form that is needed. With one, the list is not complete. */
  readonly unreadable: number
}

/** Returns the items that have the form that is needed, and counts the others: one of these does not cost the rest. */
export function keepReadable<Item extends z.ZodType>(
  listed: readonly unknown[],
  item: Item,
): Pick<ReadPage<z.output<Item>>, 'items' | 'unreadable'> {
  const items = listed.flatMap((one) => {
    const { success, data } = item.safeParse(one)
    return success ? [data] : []
  })
  return { items, unreadable: listed.length - items.length }
}

/** Returns the number of a page, from 1 on. @throws {RangeError} */
export function readPageNumber(page: string): number {
  const number = Number(page)
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`No page: ${page}`)
  return number
}

/** Reads at most `pagesMax` pages of commits, which are the newest first. Returns them the oldest first, and whether they are all. @throws {ProviderError} */
export async function readCommits(
  readPage: (page: string) => Promise<ReadPage<CodehostCommit>>,
  pagesMax: number,
): Promise<{ readonly commits: readonly CodehostCommit[]; readonly isWhole: boolean }> {
  const commits: CodehostCommit[] = []
  let unreadable = 0
  let page: string | undefined = '1'
  for (let pages = 0; page !== undefined && pages < pagesMax; pages += 1) {
    const read: ReadPage<CodehostCommit> = await readPage(page)
    commits.push(...read.items)
    unreadable += read.unreadable
    page = read.nextPage
  }
  return { commits: commits.toReversed(), isWhole: page === undefined && unreadable === 0 }
}
