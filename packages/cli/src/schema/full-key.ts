import { defaultTier, type KeyDefinition, type KeyNotes } from '@signalbox/contract'
import type { PresentedKey } from '../api/operations.ts'
import type { FullKey } from './definition-change.ts'

/** Converts a key as the server shows it. A secret's default may exist without being shown. */
export function fromPresentedKey(key: PresentedKey): FullKey {
  return { ...fromDefinition(key), hasDefault: key.hasDefault, required: key.required }
}

/** Fills in the defaults of a declared key. */
export function fromDefinition(key: KeyDefinition): FullKey {
  const hasDefault = key.hasDefault ?? key.default !== undefined
  return {
    type: key.type,
    tier: key.tier ?? defaultTier(key.type),
    required: key.required ?? !hasDefault,
    description: key.description ?? '',
    hasDefault,
    default: key.default,
    constraints: key.constraints ?? {},
    partial: key.partial ?? false,
    ...(key.targeted === true && { targeted: true }),
    ...(key.variants !== undefined && {
      variants: key.variants.map(({ name, on }) => ({ name, on })),
    }),
    ...(key.declaredIn === 'dashboard' && { declaredIn: key.declaredIn }),
    ...notesOf(key),
  }
}

/** Returns the notes that are said. */
function notesOf({
  owner,
  tags,
  expires,
  killSwitch,
  rotateEvery,
  runbook,
  expectedToDiffer,
  variable,
}: KeyNotes) {
  return {
    ...(owner !== undefined && { owner }),
    ...(tags !== undefined && { tags: [...tags] }),
    ...(expires !== undefined && { expires }),
    ...(killSwitch !== undefined && { killSwitch }),
    ...(rotateEvery !== undefined && { rotateEvery }),
    ...(runbook !== undefined && { runbook }),
    ...(expectedToDiffer !== undefined && { expectedToDiffer }),
    ...(variable !== undefined && { variable }),
  }
}

type WireKey = Omit<PresentedKey, 'hasDefault'> & { readonly hasDefault?: boolean }

/**
 * Converts a key for sending: members that equal their default are left out. A default that is not shown is kept, and
 * one that the definition no longer has is deleted on purpose.
 */
export function toWireKey(key: FullKey): WireKey {
  return {
    type: key.type,
    tier: key.tier,
    required: key.required,
    ...(key.description === '' ? {} : { description: key.description }),
    ...(key.default === undefined ? { hasDefault: key.hasDefault } : { default: key.default }),
    ...(Object.keys(key.constraints).length === 0 ? {} : { constraints: key.constraints }),
    ...(key.partial ? { partial: true } : {}),
    ...(key.targeted === undefined ? {} : { targeted: true }),
    ...(key.variants === undefined ? {} : { variants: [...key.variants] }),
    ...(key.declaredIn === undefined ? {} : { declaredIn: key.declaredIn }),
    ...notesOf(key),
  }
}

/** Counts the keys of each tier. Example: `public 7 · secret 2 · feature flags 2`. */
export function countTiers(keys: Iterable<FullKey>): {
  public: number
  secret: number
  featureFlags: number
} {
  const counts = { public: 0, secret: 0, featureFlags: 0 }
  for (const { tier } of keys) counts[tier] += 1
  return counts
}
