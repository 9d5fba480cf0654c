import type { Tier } from '@signalbox/contract'

/** The line on which a key is declared, as far as the text tells: the first one behind the name of its tier. */
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
