/** Describes a version of SemVer 2.0 without its build metadata. */
export interface Version {
  /** Holds major, minor and patch: decimal digits of any length. */
  readonly numbers: readonly string[]
  /** Example: `['rc', '1']`. Empty for a release. */
  readonly preRelease: readonly string[]
}

const number = /^(?:0|[1-9]\d*)$/
const identifier = /^[0-9A-Za-z-]+$/
const digits = /^\d+$/

/**
 * Parses `1.2.3`, `1.2.3-rc.1` or `1.2.3+build.5`. Returns `undefined` for anything that SemVer 2.0 does not allow,
 * such as `v1.2.3` and `1.2`.
 *
 * @see https://semver.org/spec/v2.0.0.html
 */
export function parseVersion(text: string): Version | undefined {
  const [bare, build] = splitOnce(text, '+')
  const [core, suffix] = splitOnce(bare, '-')
  const numbers = core.split('.')
  const preRelease = suffix === undefined ? [] : suffix.split('.')
  const isSound =
    numbers.length === 3 &&
    numbers.every((part) => number.test(part)) &&
    preRelease.every(isPreRelease) &&
    (build === undefined || build.split('.').every((part) => identifier.test(part)))
  return isSound ? { numbers, preRelease } : undefined
}

/**
 * Says in words why a value is no version, and what would be one. `undefined`: it is one. Example: `v2.1.0 is no version:
 * leave out the v`.
 */
export function explainNoVersion(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return `${JSON.stringify(value) ?? 'nothing'} is no version: it has to be a text, such as "2.1.0"`
  }
  if (parseVersion(value) !== undefined) return undefined
  const isPrefixed = /^v/i.test(value) && parseVersion(value.slice(1)) !== undefined
  if (isPrefixed) return `${value} is no version: leave out the ${value.charAt(0)}`
  const isShort = /^\d+(?:\.\d+)?$/.test(value)
  if (isShort)
    return `${value} is no version: it needs three numbers, such as ${value.split('.').length === 1 ? `${value}.0.0` : `${value}.0`}`
  return `${value === '' ? 'An empty text' : value} is no version of three numbers, such as 2.1.0`
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function isPreRelease(part: string): boolean {
  return digits.test(part) ? number.test(part) : identifier.test(part)
}

/** Returns a number below 0 when `one` comes before `other`, 0 when neither does (§11). */
export function compareVersions(one: Version, other: Version): number {
  return (
    compareLists(one.numbers, other.numbers, compareDigits) ||
    // A release comes after its pre-releases.
    Number(one.preRelease.length === 0) - Number(other.preRelease.length === 0) ||
    compareLists(one.preRelease, other.preRelease, compareIdentifiers)
  )
}

function compareLists(
  one: readonly string[],
  other: readonly string[],
  compare: (one: string, other: string) => number,
): number {
  for (const [index, part] of one.entries()) {
    const counterpart = other[index]
    if (counterpart === undefined) return 1
    const order = compare(part, counterpart)
    if (order !== 0) return order
  }
  return one.length - other.length
}

/** Compares numbers without leading zeros: the longer one is the larger one. */
function compareDigits(one: string, other: string): number {
  return one.length - other.length || compareText(one, other)
}

function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [digits.test(one), digits.test(other)]
  if (isNumber && isOtherNumber) return compareDigits(one, other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return compareText(one, other)
}

function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
