import { limits, normalizeGroups, Problem, type SegmentGroup } from '@signalbox/contract'

/** Returns groups as they are stored; throws {Problem} `value_too_large`. */
export function toStoredGroups(groups: readonly SegmentGroup[]): readonly SegmentGroup[] {
  const stored = normalizeGroups(groups)
  if (Buffer.byteLength(JSON.stringify(stored)) <= limits.segmentBytes) return stored
  const detail = `A segment may have ${limits.segmentBytes} bytes. Use fewer or shorter conditions.`
  throw new Problem('value_too_large', detail, {
    errors: [{ pointer: '/anyOf', code: 'value_too_large', detail }],
  })
}
