import type { Tier } from '@signalbox/contract'

/** Returns the line that declares a key: the first match behind the name of its tier. Searches the text, so it is a guess. */
export function findLineOfKey(source: string, tier: Tier, key: string): number | undefined {
  const escaped = key.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const declaration = new RegExp(`(?:^|[\\s,{])['"\`]?${escaped}['"\`]?\\s*:`)
  const lines = source.split('\n')
  const tierLine = lines.findIndex((line) => new RegExp(`\\b${tier}\\b\\s*:`).test(line))
  const from = Math.max(tierLine, 0)
  const inTier = lines.findIndex((line, index) => index >= from && declaration.test(line))
  const anywhere = inTier === -1 ? lines.findIndex((line) => declaration.test(line)) : inTier
  return anywhere === -1 ? undefined : anywhere + 1
}
