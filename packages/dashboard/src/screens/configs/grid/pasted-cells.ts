/** Parses text copied from a spreadsheet into rows of cells. A text without line breaks and tabs is one cell. */
export function toPastedCells(text: string): readonly (readonly string[])[] {
  const lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  return lines.map((line) => line.split('\t'))
}

const assignment = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=/

/** Returns whether a text consists of lines `NAME=value` rather than cells: at least two of them, and most of the lines. */
export function isEnvText(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  const assignments = lines.filter((line) => assignment.test(line)).length
  return assignments >= 2 && assignments * 2 > lines.length
}
