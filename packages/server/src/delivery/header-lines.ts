/** Header names and values, alternating: the form that node:http writes fastest. */
export type HeaderLines = readonly string[]

export function toHeaderLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}

export function fromHeaderLines(lines: HeaderLines): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at < lines.length; at += 2) headers[lines[at] ?? ''] = lines[at + 1] ?? ''
  return headers
}
