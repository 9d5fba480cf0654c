import { toUnit } from '../bucketing.ts'
import { absorb, emptyState, finish } from '../murmur3.ts'
import { md5 } from './md5.ts'
import { sha1 } from './sha1.ts'
import { crc32, fnv1a } from './short-hashes.ts'

/** Lists the ways of other products to choose who is in a share, which a share can keep. */
export const dealings = [
  'launchdarkly',
  'unleash',
  'unleash-variant',
  'growthbook-v1',
  'growthbook-v2',
  'flagsmith',
  'configcat',
  'posthog',
  'posthog-variant',
  'flipt',
  'flipt-variant',
  'go-feature-flag',
] as const

/** Names the way of another product to choose who is in a share. */
export type Dealing = (typeof dealings)[number]

/** Describes how another product chose who is in a share, so that nobody changes sides after a move. */
export interface ForeignDeal {
  readonly as: Dealing
  /**
   * Holds what that product hashes together with the user. `launchdarkly`: `<flag>.<salt>`, or the seed. `unleash`: the
   * group. `growthbook-…`: the seed. `flagsmith`: `<segment>,<environment>_`, or the state of a feature in place of the
   * segment. `configcat` `flipt` `go-feature-flag` `posthog`: the flag. Those of variants: as those of the product's shares.
   */
  readonly key: string
}

/** Names each product as people write it. */
export const dealingNames: Readonly<Record<Dealing, string>> = {
  launchdarkly: 'LaunchDarkly',
  unleash: 'Unleash',
  'unleash-variant': 'Unleash',
  'growthbook-v1': 'GrowthBook',
  'growthbook-v2': 'GrowthBook',
  flagsmith: 'Flagsmith',
  configcat: 'ConfigCat',
  posthog: 'PostHog',
  'posthog-variant': 'PostHog',
  flipt: 'Flipt',
  'flipt-variant': 'Flipt',
  'go-feature-flag': 'GO Feature Flag',
}

/** Returns whether a unit is in the first `percent` of a share. */
type Deal = (key: string, unit: string, percent: number) => boolean

/** Begins a hash as Unleash does for variants, so that they do not go by who is in a share. */
const seededState = { ...emptyState, hash: 86_028_157 }

/** Holds the formula of each product, as its own client libraries have it, over the UTF-8 of the text. */
const deals: Readonly<Record<Dealing, Deal>> = {
  // Their weights are thousandths of a percent.
  launchdarkly: (key, unit, percent) =>
    toFraction(`${key}.${unit}`) < Math.round(percent * 1000) / 100_000,
  unleash: (key, unit, percent) =>
    (finish(absorb(emptyState, `${key}:${unit}`)) % 100) + 1 <= percent,
  // Their weights are thousandths.
  'unleash-variant': (key, unit, percent) =>
    (finish(absorb(seededState, `${key}:${unit}`)) % 1000) + 1 <= Math.round(percent * 10),
  'growthbook-v1': (key, unit, percent) => (fnv1a(unit + key) % 1000) / 1000 <= percent / 100,
  'growthbook-v2': (key, unit, percent) =>
    (fnv1a(String(fnv1a(key + unit))) % 10_000) / 10_000 <= percent / 100,
  flagsmith: (key, unit, percent) => toFlagsmithPercent(key + unit) <= percent,
  configcat: (key, unit, percent) =>
    Number.parseInt(sha1(key + unit).slice(0, 7), 16) % 100 < percent,
  posthog: (key, unit, percent) => toFraction(`${key}.${unit}`) <= percent / 100,
  'posthog-variant': (key, unit, percent) => toFraction(`${key}.${unit}variant`) < percent / 100,
  flipt: (key, unit, percent) => crc32(unit + key) % 100 < percent,
  'flipt-variant': (key, unit, percent) => crc32(key + unit) % 1000 < Math.round(percent * 10),
  // Their percentages have three decimals.
  'go-feature-flag': (key, unit, percent) =>
    fnv1a(key + unit) % 100_000 < Math.round(percent * 1000),
}

/** Rounds 2^60 - 1 as their clients do. */
const fractionMax = 2 ** 60

/** Returns 60 bits of a hash as a fraction of their greatest number. */
function toFraction(text: string): number {
  return Number.parseInt(sha1(text).slice(0, 15), 16) / fractionMax
}

/** Returns 0 to 100, without 100: there it hashes the text twice, then three times. */
function toFlagsmithPercent(text: string, times = 1): number {
  const repeated = Array.from({ length: times }, () => text).join(',')
  const rest = md5(repeated).reduce((sum, byte) => (sum * 256 + byte) % 9999, 0)
  return rest === 9998 ? toFlagsmithPercent(text, times + 1) : (rest / 9998) * 100
}

/** Returns an attribute as the text that a product hashes. `undefined`: it is outside of every share there. */
type ToUnit = (attribute: unknown) => string | undefined

/** Takes what JavaScript takes for true. */
const truthy: ToUnit = (attribute) => (attribute ? toText(attribute) : undefined)

/** Leaves out the empty text alone. */
const filled: ToUnit = (attribute) => (attribute === '' ? undefined : toText(attribute))

/** Holds which attributes each product hashes. Those that are not listed take texts that are not empty and whole numbers. */
const units: Readonly<Partial<Record<Dealing, ToUnit>>> = {
  // An empty text has a bucket there.
  launchdarkly: (attribute) => (attribute === '' ? '' : toUnit(attribute)),
  configcat: toText,
  unleash: filled,
  'unleash-variant': filled,
  'growthbook-v1': truthy,
  'growthbook-v2': truthy,
  flagsmith: truthy,
}

function toText(attribute: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof attribute) ? String(attribute) : undefined
}

/**
 * Returns the function that says whether an attribute is in the first `percent`. `undefined`: this version has no such
 * dealing.
 */
export function createForeignDeal(
  { as, key }: ForeignDeal,
  percent: number,
): ((attribute: unknown) => boolean) | undefined {
  if (!Object.hasOwn(deals, as)) return undefined
  const isIn = deals[as]
  const toOwnUnit = units[as] ?? toUnit
  return (attribute) => {
    const unit = toOwnUnit(attribute)
    return unit !== undefined && isIn(key, unit, percent)
  }
}
