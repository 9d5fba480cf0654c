import { bucketsTotal, countBuckets } from './bucketing.ts'
import {
  targetingKey,
  type FlagRule,
  type Serve,
  type ServedValue,
  type ServedVariant,
} from './flag-rules.ts'

/** Describes one of the outcomes of a rule, and the buckets that get it. */
export interface Share {
  readonly served: boolean | ServedValue | ServedVariant
  /** Holds the first bucket of the share, and the first one after it. */
  readonly from: number
  readonly below: number
}

/** Holds the outcomes of a rule in the order of their buckets. */
export interface Division {
  readonly shares: readonly [Share, ...Share[]]
  /** Names the attribute that decides between them. `undefined`: there is one outcome, and no attribute is needed. */
  readonly by: string | undefined
}

/**
 * Returns who gets what by a rule. The limits between shares are whole buckets, because 0.1 * 3 is not 0.3. A share of 0% is
 * left out, so that a rule with one share of 100% serves everyone the same.
 */
export function divideServe(serve: Serve): Division {
  if (typeof serve === 'boolean') return { shares: [wholeShare(serve)], by: undefined }
  if ('percent' in serve) {
    const on = { served: true, percent: serve.percent }
    return divide([on, { served: false, percent: 100 - serve.percent }], serve.by)
  }
  if ('split' in serve)
    return divide(
      serve.split.map((part) => ({ served: part, percent: part.percent })),
      serve.by,
    )
  return { shares: [wholeShare(serve)], by: undefined }
}

/** Returns the index of the first rule that decides for everyone, or the end of the list: no later rule is asked. */
export function findLastAsked(rules: readonly Pick<FlagRule, 'serve' | 'when'>[]): number {
  const index = rules.findIndex(
    ({ when, serve }) =>
      when.length === 0 && (divideServe(serve).by ?? targetingKey) === targetingKey,
  )
  return index === -1 ? rules.length : index
}

interface Part {
  readonly served: Share['served']
  readonly percent: number
}

function divide(parts: readonly Part[], by = targetingKey): Division {
  const shares: Share[] = []
  let percents = 0
  let from = 0
  for (const { served, percent } of parts) {
    percents += percent
    const below = countBuckets(percents)
    if (below > from) shares.push({ served, from, below })
    from = below
  }
  const [first = wholeShare(false), ...others] = shares
  return { shares: [first, ...others], by: others.length === 0 ? undefined : by }
}

function wholeShare(served: Share['served']): Share {
  return { served, from: 0, below: bucketsTotal }
}
