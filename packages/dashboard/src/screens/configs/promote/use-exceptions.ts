import type { PromotionException } from '@signalbox/contract'
import { useState } from 'react'
import type { Pair, Promotion } from './promotion.ts'

/** Names the keys that one kind of exception is about. */
export type ExceptedKeys = Readonly<Record<PromotionException, readonly string[]>>

interface Choice {
  readonly pair: Pair
  readonly include: readonly PromotionException[]
}

/** Holds what a person includes, for one pair of environments: another pair begins with nothing. */
export function useInclude(pair: Pair) {
  const [choice, setChoice] = useState<Choice>()
  return {
    include: choice?.pair === pair ? choice.include : noExceptions,
    onInclude: (include: readonly PromotionException[]) => setChoice({ pair, include }),
  }
}

interface LastPreview {
  readonly pair: Pair
  readonly answer: Promotion
  readonly excepted: ExceptedKeys
}

/** Returns the keys of each kind as the last preview of the pair told them, so that they stay while the next one loads. */
export function useExceptedKeys(
  pair: Pair,
  include: readonly PromotionException[],
  answer: Promotion | undefined,
): ExceptedKeys {
  const [last, setLast] = useState<LastPreview>()
  const excepted = last?.pair === pair ? last.excepted : noKeys
  if (answer === undefined || answer === last?.answer) return excepted
  const next = followExceptions(excepted, include, answer)
  setLast({ pair, answer, excepted: next })
  return next
}

/** Returns what an answer leaves out, and of what it includes the keys that it copies and were left out before. */
function followExceptions(
  before: ExceptedKeys,
  include: readonly PromotionException[],
  { changes, leftOut }: Promotion,
): ExceptedKeys {
  const copied = new Set(changes.map(({ key }) => key))
  const keysOf = (reason: PromotionException) =>
    include.includes(reason)
      ? before[reason].filter((key) => copied.has(key))
      : leftOut.filter((one) => one.reason === reason).map(({ key }) => key)
  return {
    expectedToDiffer: keysOf('expectedToDiffer'),
    secret: keysOf('secret'),
    turnedOff: keysOf('turnedOff'),
  }
}

const noExceptions: readonly PromotionException[] = []
const noKeys: ExceptedKeys = { expectedToDiffer: [], secret: [], turnedOff: [] }
