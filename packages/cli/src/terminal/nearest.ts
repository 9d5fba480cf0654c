import { nearestNames } from '@signalbox/contract'

const shownMax = 3

/** Returns a sentence for an error's advice, or `undefined` when no name is similar. Example: `Did you mean "staging"?` */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const near = nearestNames(name, candidates).slice(0, shownMax)
  return near.length === 0
    ? undefined
    : `Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`
}
