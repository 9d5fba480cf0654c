import {
  countWrittenRules,
  isTurnedOff,
  limits,
  listSegmentNames,
  writeOutSegments,
  type FlagRule,
  type Segments,
} from '@signalbox/contract'
import type { CurrentValues } from './current-values.ts'

/** Stands in the stored text of rules that refer to a segment, and in no other: a quotation mark within a value has a backslash before it. */
const segmentMark = '"operator":"segment"'

/** Reads rules from their stored text, which was checked when it was written. */
export function parseRules(text: string): readonly FlagRule[] {
  const rules: readonly FlagRule[] = JSON.parse(text)
  return rules
}

/** Returns the names of the segments that the stored text of rules refers to, each once. */
export function segmentsIn(text: string): readonly string[] {
  return text.includes(segmentMark) ? listSegmentNames(parseRules(text)) : []
}

/** Stands in the stored text of rules that turn their flag off, and in no other. */
const asideMark = '"aside":'

/** Returns whether the stored text of rules says that their flag is turned off. */
export function turnsOff(text: string | undefined): boolean {
  return text !== undefined && text.includes(asideMark) && isTurnedOff(parseRules(text))
}

/** Names a flag whose rules refer to a segment. */
export interface SegmentReference {
  readonly segment: string
  readonly flag: string
}

/** Returns the segments that an environment refers to. Rules of a key that is no flag at present count: they stay stored. */
export function referencesOf({ openValues }: CurrentValues): readonly SegmentReference[] {
  // Every write looks through every value of its environments, so nothing is made of those without rules.
  const references: SegmentReference[] = []
  for (const flag of Object.keys(openValues)) {
    const rules = openValues[flag]?.rules
    if (rules === undefined) continue
    for (const segment of segmentsIn(rules)) references.push({ segment, flag })
  }
  return references
}

/** Returns the names of the segments that environments refer to. */
export function namesOf(currentValues: Iterable<CurrentValues>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const current of currentValues) {
    for (const { segment } of referencesOf(current)) names.add(segment)
  }
  return names
}

/** Keeps what was written out: environments that inherit a flag have the same text. */
const writtenTexts = new WeakMap<Segments, Map<string, string>>()

/** Returns the text of rules as clients get it: without segments. */
export function writeOutText(text: string, segments: Segments): string {
  if (!text.includes(segmentMark)) return text
  const known = writtenTexts.get(segments) ?? new Map<string, string>()
  writtenTexts.set(segments, known)
  const written = known.get(text) ?? JSON.stringify(writeOutSegments(parseRules(text), segments))
  known.set(text, written)
  return written
}

/** Returns whether rules stay within the limit when their segments are written out. Counts before anything is written. */
export function fitsWrittenOut(text: string, segments: Segments): boolean {
  if (!text.includes(segmentMark)) return true
  return countWrittenRules(parseRules(text), segments) <= limits.writtenRulesPerFlag
}

/** Explains to a person why rules are refused that `fitsWrittenOut` does not admit. */
export const tooManyRulesDetail = `Clients get a flag’s segments written out as rules without segments, at most ${limits.writtenRulesPerFlag} for a flag, and these would be more. Use fewer groups or conditions in the segments, or fewer segments in a rule. “not” a segment costs the most.`
