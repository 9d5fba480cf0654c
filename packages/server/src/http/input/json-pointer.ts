const segmentCharactersMax = 200

/** Renders a JSON pointer (RFC 6901). The whole body is `""`. Very long names are cut. */
export function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapeSegment(String(segment))}`).join('')
}

function escapeSegment(segment: string): string {
  const short =
    segment.length > segmentCharactersMax
      ? `${segment.slice(0, segmentCharactersMax).toWellFormed()}…`
      : segment
  return short.replaceAll('~', '~0').replaceAll('/', '~1')
}
