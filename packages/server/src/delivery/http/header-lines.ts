/** Header names and values, alternating: the form that node:http writes fastest. */
export type HeaderLines = readonly string[]

export function toHeaderLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}

/** The lines as they stand on the wire. Names and values must be free of line breaks. */
export function toHeaderText(lines: HeaderLines): string {
  let text = ''
  for (let at = 0; at < lines.length; at += 2) text += `${lines[at]}: ${lines[at + 1]}\r\n`
  return text
}
