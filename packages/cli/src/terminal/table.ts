/** Returns rows in columns as wide as their widest cell, two spaces apart, without trailing blanks. */
export function renderTable(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell))
    }
  }
  return rows
    .map((row) =>
      (
        indent +
        row
          .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - visibleLength(cell) + 2))
          .join('')
      ).trimEnd(),
    )
    .join('\n')
}

// oxlint-disable-next-line no-control-regex
const styleCodes = /\u001B\[\d+m/g

function visibleLength(text: string): number {
  return text.replaceAll(styleCodes, '').length
}
