import type { ReactNode } from 'react'

interface ChartTableProps {
  readonly caption: string
  readonly columns: readonly string[]
  /** The first cell of each row names it. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

/** Renders the numbers of a chart as a table. */
export function ChartTable({ caption, columns, rows }: ChartTableProps) {
  return (
    <details className="text-sm">
      <summary className="text-muted">Show as table</summary>
      <div
        className="max-h-80 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label={`${caption} as a table`}
      >
        <table className="table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [name, ...cells] }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {cells.map((cell, at) => (
                  <td key={at} className="tabular-nums">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
