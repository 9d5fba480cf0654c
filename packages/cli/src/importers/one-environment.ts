import {
  canonicalJson,
  findVariantViolations,
  isConfigValue,
  parseVersionRange,
  typeOfValue,
  type ConfigValue,
  type FlagVariant,
  type ServedVariant,
} from '@signalbox/contract'
import { settle, type Step } from './alternatives.ts'
import type { ImportedKey } from './importer.ts'
import { done, leaveOut, type Issues } from './issues.ts'
import type { JsonObject } from './read-json.ts'

type OwnValue = ImportedKey['values'][number]

/** Describes what names a key in an import. */
export type KeyNames = Pick<ImportedKey, 'key' | 'from' | 'description' | 'tags'>

/** Describes what a flag serves in an environment: what the first step that holds serves, else the rest. */
export interface Targeted<Served = unknown> {
  readonly environment: string
  readonly steps: readonly Step<Served>[]
  readonly rest: Served
}

/**
 * Returns a flag of true and false as a flag, and one of texts, numbers, or objects and lists as a public key, whose rules serve them.
 * Values of several types become a public key that holds JSON as text, where it is the same for everyone. `source` begins the codes
 * of issues. Example: `LD`. @throws {LeftOut}
 */
export function toKey(
  names: KeyNames,
  source: string,
  targeted: readonly Targeted[],
  issues: Issues,
): ImportedKey {
  return targeted.every(isOfBooleans)
    ? toFlagKey(names, targeted, issues)
    : toPublicKey(names, source, targeted, issues)
}

/** Describes what a flag serves by names, which `variants` maps to values. */
export interface NamedTargeting extends Targeted<string> {
  readonly variants: JsonObject
}

/** Returns a flag of true and false that has more names than these with its variants, and any other with its values. */
export function toNamedKey(
  names: KeyNames,
  source: string,
  { variants, environment, steps, rest }: NamedTargeting,
  issues: Issues,
): ImportedKey {
  const serve = <Served>(toServed: (variant: string) => Served) => ({
    environment,
    steps: steps.map((step) => ({ ...step, serve: toServed(step.serve) })),
    rest: toServed(rest),
  })
  const declared = Object.entries(variants).flatMap(([name, on]) =>
    typeof on === 'boolean' ? [{ name, on }] : [],
  )
  const isNamed =
    declared.length > 2 &&
    declared.length === Object.keys(variants).length &&
    findVariantViolations(declared).length === 0
  return isNamed
    ? toFlagKey(names, [serve((variant) => ({ variant }))], issues, declared)
    : toKey(names, source, [serve((variant) => variants[variant])], issues)
}

function isOfBooleans(targeted: Targeted): targeted is Targeted<boolean> {
  return listServed(targeted).every((served) => typeof served === 'boolean')
}

/** Lists what an environment serves, without what no context gets. */
function listServed({ steps, rest }: Targeted): unknown[] {
  const { value, rules } = settle(steps, rest)
  return [value, ...rules.map(({ serve }) => serve)]
}

/** Returns a flag, which may have variants. It is exact unless an issue says otherwise. */
export function toFlagKey(
  names: KeyNames,
  targeted: readonly Targeted<boolean | ServedVariant>[],
  issues: Issues,
  variants?: readonly FlagVariant[],
): ImportedKey {
  const values = targeted.map(({ environment, steps, rest }): OwnValue => {
    const { value, rules } = settle(steps, rest)
    if (typeof value === 'boolean') return toOwnValue(environment, value, rules)
    // The value of an environment is on or off. A rule for everyone names the variant.
    const isOn = variants?.some(({ name, on }) => name === value.variant && on) === true
    return toOwnValue(environment, isOn, [...rules, { when: [], serve: value }])
  })
  const { verdict, all } = issues
  return {
    ...names,
    type: 'boolean',
    tier: 'featureFlags',
    ...(variants !== undefined && { variants: [...variants] }),
    verdict,
    values,
    issues: all,
  }
}

function toOwnValue(environment: string, value: ConfigValue, rules: readonly object[]): OwnValue {
  return { environment, value, ...(rules.length > 0 && { rules: [...rules] }) }
}

/** Returns texts, numbers or JSON as a public key. @throws {LeftOut} for values of several types that are not the same for everyone */
export function toPublicKey(
  names: KeyNames,
  source: string,
  targeted: readonly Targeted[],
  issues: Issues,
): ImportedKey {
  const type = findPlainType(targeted.flatMap(listServed))
  const settled = targeted.map(({ environment, steps, rest }) => ({
    environment,
    ...settle(steps, rest),
  }))
  const hasRules = settled.some(({ rules }) => rules.length > 0)
  if (hasRules && type === undefined) {
    const cause =
      'The flag serves values of several types, or nothing, and is not the same for everyone.'
    throw leaveOut(`${source}-T020`, cause, done.oneType)
  }
  if (hasRules) {
    const cause = 'The flag has other values than true and false, and is not the same for everyone.'
    issues.low(`${source}-T024`, cause, 'It becomes a public key, whose rules serve the values.')
  } else {
    const cause = 'The flag has other values than true and false, and is the same for everyone.'
    const asText = type === undefined ? ' that holds JSON as text' : ''
    issues.low(`${source}-T021`, cause, `It becomes a public key${asText}.`)
  }
  const values = settled.map(({ environment, value, rules }) => {
    const served = rules.map((rule) => ({ ...rule, serve: { value: rule.serve } }))
    const isOwn = type !== undefined && isConfigValue(value)
    return toOwnValue(environment, isOwn ? value : canonicalJson(value), served)
  })
  const { verdict, all } = issues
  return {
    ...names,
    type: type ?? 'string',
    tier: 'public',
    ...(hasRules && { targeted: true }),
    verdict,
    values,
    issues: all,
  }
}

/** Returns the type that all values have, where a rule of a public key can serve them. */
export function findPlainType(
  values: readonly unknown[],
): 'string' | 'number' | 'json' | undefined {
  const types = ['string', 'number', 'json'] as const
  return types.find((type) => values.every((value) => typeOfValue(value) === type))
}

/**
 * Returns a text as the values that a product takes for equal to it because it compares texts: the text itself, and the
 * number or the boolean that it spells.
 */
export function toTyped(text: string): (string | number | boolean)[] {
  if (text === 'true' || text === 'false') return [text, text === 'true']
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

/** Returns whether a text is a version of SemVer 2.0. */
export function isSemver(text: string): boolean {
  return /^\d/.test(text) && parseVersionRange(text) !== undefined
}

/** Returns whether the text of a number or a boolean may have this part. */
export function isInNumbers(text: string): boolean {
  const words = ['true', 'false', 'Infinity', 'NaN']
  return /^[\d.e+-]+$/.test(text) || words.some((word) => word.includes(text))
}
