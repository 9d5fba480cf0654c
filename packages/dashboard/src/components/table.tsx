import type { ComponentProps, CSSProperties, ReactNode } from 'react'

/** Describes a column with options. The title of actions and checkboxes is for screen readers alone. */
interface Column {
  readonly title: string
  readonly kind?: 'choice' | 'actions'
  readonly className?: string
}

/** Describes the column of a row's menu or button. */
export const rowActions = { title: 'Actions', kind: 'actions' } as const

interface TableProps {
  /** Lists the columns in the order of the cells. `false` is left out, with its cells. */
  readonly columns: readonly (string | Column | false)[]
  readonly caption?: string
  /** Its rows. */
  readonly children: ReactNode
}

/**
 * Renders rows with a header. On a phone each row is a block: its first cell with the actions beside it, then the
 * other cells below each other with the titles of their columns, so that nothing is hidden or cut.
 *
 * The roles are explicit, because browsers drop them where CSS lays a table out as something else.
 */
export function Table({ columns, caption, children }: TableProps) {
  const visibleColumns = columns.filter((column) => column !== false).map(toColumn)
  const has = (kind: Column['kind']) =>
    visibleColumns.some((column) => column.kind === kind) || undefined
  return (
    <table
      role="table"
      className="table"
      data-blocks=""
      data-choice={has('choice')}
      data-actions={has('actions')}
      style={toTitles(visibleColumns)}
    >
      {caption !== undefined && (
        <caption className="px-4 pt-3 text-left font-medium">{caption}</caption>
      )}
      <thead role="rowgroup">
        <Row>
          {visibleColumns.map(({ title, kind, className }) => (
            <th key={title} role="columnheader" scope="col" className={className}>
              {kind === undefined ? title : <span className="sr-only">{title}</span>}
            </th>
          ))}
        </Row>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
}

/** Shows one row of a table. */
export function Row(props: ComponentProps<'tr'>) {
  return <tr role="row" {...props} />
}

/** Shows one cell of a row. */
export function Cell(props: ComponentProps<'td'>) {
  return <td role="cell" {...props} />
}

function toColumn(column: string | Column): Column {
  return typeof column === 'string' ? { title: column } : column
}

/** Returns the titles for the style sheet, which shows them beside the cells on a phone: `--column-2: "Kind"`. */
function toTitles(columns: readonly Column[]): CSSProperties {
  return Object.fromEntries(
    columns.map(({ title }, at) => [`--column-${at + 1}`, JSON.stringify(title)]),
  )
}
