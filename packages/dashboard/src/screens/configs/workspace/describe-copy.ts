import { canonicalJson, describeFlag, isTurnedOff, sameValue, type Tier } from '@signalbox/contract'
import { toValueText, type MatrixCell } from '../matrix.ts'

type Content = Pick<MatrixCell, 'value' | 'rules'>

/** Returns what a copy carries in words: of a flag its rules too. */
export function describeContent(tier: Tier, { value, rules }: Content): string {
  if (tier === 'featureFlags' || (rules ?? []).length > 0) return describeFlag({ value, rules })
  return value === undefined ? 'No value' : toValueText(value)
}

/** Returns what a copy of one cell does to another, in words. */
export function describeCopy(tier: Tier, from: Content, to: MatrixCell): string {
  if (to.value === undefined) return 'New: no value there yet'
  if (isSame(from, to))
    return to.source === 'set' ? 'Same value' : 'Same value (inherited or default)'
  const what = to.source === 'set' ? 'Replaces' : `Overrides the ${to.source} value`
  const turned =
    isTurnedOff(to.rules) && !isTurnedOff(from.rules)
      ? 'It is turned off there. The copy ends that. '
      : ''
  return `${turned}${what} ${describeContent(tier, to)}`
}

function isSame(from: Content, to: Content): boolean {
  return (
    sameValue(from.value, to.value) &&
    canonicalJson(from.rules ?? []) === canonicalJson(to.rules ?? [])
  )
}
