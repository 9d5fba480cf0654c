import { invalidReport, reportLimits } from './test-report.ts'

/**
 * Refuses XML that would cost more than a report may, before a parser builds anything of it: document types (and with them
 * every entity that is not built in), nesting, elements and attributes without measure. One pass, no look back. An attribute may be
 * as long as it likes, because some runners write the output of a test into one: it is cut here to more than is kept of it.
 *
 * @returns the XML, with those attributes cut.
 * @throws {Problem} `invalid_report`
 * @see https://www.w3.org/TR/xml/ §2.8
 */
export function scanXml(xml: string): string {
  const pieces: string[] = []
  let copiedTo = 0
  const cut = (from: number, to: number) => {
    pieces.push(xml.slice(copiedTo, from))
    copiedTo = to
  }
  let depth = 0
  let elements = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    if (xml.startsWith('<!--', at)) at = skipPast(xml, '-->', at + 4)
    else if (xml.startsWith('<![CDATA[', at)) at = skipPast(xml, ']]>', at + 9)
    else if (xml.startsWith('<?', at)) at = skipPast(xml, '?>', at + 2)
    else if (xml.startsWith('<!', at))
      throw rejection(xml, at, 'has a document type, which is not supported')
    else if (xml.startsWith('</', at)) {
      depth--
      at = skipPast(xml, '>', at + 2)
    } else {
      const tag = readTag(xml, at, cut)
      elements++
      if (!tag.isEmpty) depth++
      if (depth > reportLimits.depth) {
        throw rejection(xml, at, `is nested deeper than ${reportLimits.depth} levels`)
      }
      if (elements > reportLimits.elements) {
        throw rejection(xml, at, `has more than ${reportLimits.elements} elements`)
      }
      at = tag.end
    }
  }
  return copiedTo === 0 ? xml : pieces.join('') + xml.slice(copiedTo)
}

type Cut = (from: number, to: number) => void

/** The end of an opening tag. A `>` inside of a quoted attribute does not end it. */
function readTag(
  xml: string,
  start: number,
  cut: Cut,
): { readonly end: number; readonly isEmpty: boolean } {
  let attributes = 0
  let cutLength = 0
  let at = start + 1
  while (at < xml.length) {
    const code = xml.charCodeAt(at)
    if (code === 0x3e) return { end: at + 1, isEmpty: xml.charCodeAt(at - 1) === 0x2f }
    if (code === 0x3c) break
    if (at - start - cutLength > reportLimits.tagLength) {
      throw rejection(xml, start, `has a tag of more than ${reportLimits.tagLength} characters`)
    }
    if (code === 0x22 || code === 0x27) {
      attributes++
      if (attributes > reportLimits.attributes) {
        throw rejection(
          xml,
          start,
          `has an element with more than ${reportLimits.attributes} attributes`,
        )
      }
      const end = skipPast(xml, code === 0x22 ? '"' : "'", at + 1)
      if (end - at > reportLimits.attributeLength + 2) {
        const from = endOfKept(xml, at + 1)
        cut(from, end - 1)
        cutLength += end - 1 - from
      }
      at = end
    } else at++
  }
  throw rejection(xml, start, 'has an unclosed tag')
}

/** Not within an entity, the longest of which has ten characters. */
function endOfKept(xml: string, from: number): number {
  const end = from + reportLimits.attributeLength
  const entityAt = xml.slice(end - 9, end).lastIndexOf('&')
  return entityAt === -1 ? end : end - 9 + entityAt
}

function skipPast(xml: string, end: string, from: number): number {
  const endAt = xml.indexOf(end, from)
  if (endAt === -1) throw rejection(xml, from, `lacks a closing ${end}`)
  return endAt + end.length
}

function rejection(xml: string, at: number, what: string) {
  let line = 1
  for (let next = xml.indexOf('\n'); next !== -1 && next < at; next = xml.indexOf('\n', next + 1)) {
    line++
  }
  return invalidReport('', `The report ${what} (line ${line}).`)
}
