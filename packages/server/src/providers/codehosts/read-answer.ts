import type { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { readProviderJson } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'

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
  const { data, error } = shape.safeParse(readProviderJson(provider, answer))
  if (error === undefined) return data
  throw new ProviderError({ provider, failure: 'unavailable', code: 'unexpected_answer' })
}

/** Returns the items that have the form that is needed: one that has not does not cost the others. */
export function keepReadable<Item extends z.ZodType>(
  items: readonly unknown[],
  item: Item,
): z.output<Item>[] {
  return items.flatMap((one) => {
    const { success, data } = item.safeParse(one)
    return success ? [data] : []
  })
}

/** Returns the number of a page, from 1 on. @throws {RangeError} */
export function readPageNumber(page: string): number {
  const number = Number(page)
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`No page: ${page}`)
  return number
}
