import { cutText } from '@signalbox/contract'
const segmentCharactersMax = 200

/** Renders a JSON pointer (RFC 6901). The whole body is `""`. Very long names are cut. */
export function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapeSegment(String(segment))}`).join('')
}

function escapeSegment(segment: string): string {
  const short =
    segment.length > segmentCharactersMax ? `${cutText(segment, segmentCharactersMax)}…` : segment
  return short.replaceAll('~', '~0').replaceAll('/', '~1')
}
