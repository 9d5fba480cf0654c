import type { DefinitionChange, FullKey } from './definition-change.ts'

/** Returns why a change could break programs that read the key, or `undefined` when it cannot. */
export function breakingReason(change: DefinitionChange): string | undefined {
  switch (change.kind) {
    case 'added':
      return change.after.required && !change.after.hasDefault
        ? 'is required, has no default and no value yet'
        : undefined
    case 'removed':
      return 'is removed; the server keeps its stored values and restores them with the key'
    case 'changed':
      return breakingDifference(change.before, change.after)
  }
}

function breakingDifference(before: FullKey, after: FullKey): string | undefined {
  if (before.type !== after.type) return `changes its type from ${before.type} to ${after.type}`
  if (before.tier !== after.tier) return tierReason(before, after)
  if (before.hasDefault && !after.hasDefault) return 'loses its default'
  if (!before.required && after.required && !after.hasDefault) return 'becomes required'
  const narrowed = narrowedConstraint(before.constraints, after.constraints)
  return narrowed === undefined ? undefined : `becomes narrower (${narrowed})`
}

function tierReason(before: FullKey, after: FullKey): string | undefined {
  if (before.tier === 'secret') return 'was secret and becomes readable in browsers'
  return after.tier === 'secret' ? 'is no longer sent to browsers' : 'changes its tier'
}

const lowerBounds = new Set(['minimum', 'exclusiveMinimum', 'minLength'])
const upperBounds = new Set(['maximum', 'exclusiveMaximum', 'maxLength'])

/** Returns the first constraint that refuses values that were accepted before. */
function narrowedConstraint(
  before: FullKey['constraints'],
  after: FullKey['constraints'],
): string | undefined {
  return Object.keys(after).find((name) => isNarrower(name, before[name], after[name]))
}

function isNarrower(name: string, old: unknown, next: unknown): boolean {
  if (old === undefined) return true
  if (typeof old === 'number' && typeof next === 'number') {
    if (lowerBounds.has(name)) return next > old
    if (upperBounds.has(name)) return next < old
  }
  if (name === 'enum' && Array.isArray(old) && Array.isArray(next)) {
    const nextValues = new Set<unknown>(next)
    return old.some((value) => !nextValues.has(value))
  }
  return JSON.stringify(old) !== JSON.stringify(next)
}
