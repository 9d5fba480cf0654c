import { nearestNames } from '@signalbox/contract'

const shownMax = 3

/** A sentence to put into a hint, or `undefined` when nothing is near. Example: `Did you mean "staging"?` */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const near = nearestNames(name, candidates).slice(0, shownMax)
  return near.length === 0
    ? undefined
    : `Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`
}
