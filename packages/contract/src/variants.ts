import type { FlagVariant } from './flags/index.ts'
import { limits } from './limits.ts'

/** Matches 1 to 64 letters, digits, `_`, `.` or `-`; the first is no punctuation but `_`. */
export const variantNamePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/

/** Says how variants are named. */
export const describeVariantName = 'Use 1 to 64 letters, digits, "_", "." or "-".'

/** Describes what is wrong with the variants of a flag, and the index of the variant that it is about. */
export interface VariantViolation {
  readonly index?: number
  readonly detail: string
}

/**
 * Returns what is wrong with the variants that a flag declares. One has to be on and one off, because the flag itself is on or off
 * where no rule decides.
 */
export function findVariantViolations(
  variants: readonly FlagVariant[],
): readonly VariantViolation[] {
  if (variants.length > limits.variantsPerFlag) {
    return [{ detail: `Declare at most ${limits.variantsPerFlag} variants.` }]
  }
  const names = variants.map(({ name }) => name)
  const violations = names.flatMap((name, index): VariantViolation[] => {
    if (!variantNamePattern.test(name)) return [{ index, detail: describeVariantName }]
    return names.indexOf(name) === index
      ? []
      : [{ index, detail: `Two variants have the name ${name}. Rename one of them.` }]
  })
  const missing = [true, false].filter((on) => !variants.some((variant) => variant.on === on))
  const [some, other] = missing
  if (some === undefined) return violations
  const detail = `Declare a variant that is ${toState(some)}${other === undefined ? '' : ` and one that is ${toState(other)}`}.`
  return [...violations, { detail }]
}

/** Returns variants in words. Examples: `control (off), blue (on)`, `none`. */
export function describeVariants(variants: readonly FlagVariant[] = []): string {
  if (variants.length === 0) return 'none'
  return variants.map(({ name, on }) => `${name} (${toState(on)})`).join(', ')
}

function toState(on: boolean): string {
  return on ? 'on' : 'off'
}
