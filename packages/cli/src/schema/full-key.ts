import { defaultTier, type KeyDefinition } from '@signalbox/contract'
import type { PresentedKey } from '../api/operations.ts'
import type { FullKey } from './definition-change.ts'

/** A key as the server shows it. The default of a secret may be there and not be shown. */
export function fromPresentedKey(key: PresentedKey): FullKey {
  return { ...fromDefinition(key), hasDefault: key.hasDefault, required: key.required }
}

/** A declared key with everything said that was left out. */
export function fromDefinition(key: KeyDefinition): FullKey {
  return {
    type: key.type,
    tier: key.tier ?? defaultTier(key.type),
    required: key.required ?? key.default === undefined,
    description: key.description ?? '',
    hasDefault: key.default !== undefined,
    default: key.default,
    constraints: key.constraints ?? {},
    partial: key.partial ?? false,
  }
}

type WireKey = Omit<PresentedKey, 'hasDefault'>

/** The key as it is sent: nothing that says no more than leaving it out. */
export function toWireKey(key: FullKey): WireKey {
  return {
    type: key.type,
    tier: key.tier,
    required: key.required,
    ...(key.description === '' ? {} : { description: key.description }),
    ...(key.default === undefined ? {} : { default: key.default }),
    ...(Object.keys(key.constraints).length === 0 ? {} : { constraints: key.constraints }),
    ...(key.partial ? { partial: true } : {}),
  }
}

/** How many keys there are of each tier. Example: `public 7 · secret 2 · feature flags 2`. */
export function countTiers(keys: Iterable<FullKey>): {
  public: number
  secret: number
  featureFlags: number
} {
  const counts = { public: 0, secret: 0, featureFlags: 0 }
  for (const { tier } of keys) counts[tier] += 1
  return counts
}
