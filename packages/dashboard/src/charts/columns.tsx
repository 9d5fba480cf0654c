import type { CSSProperties, ReactNode } from 'react'
import { margin, type PlotArea } from './plot-area.ts'

/** Holds the attributes and the content of the area of one item. */
export interface Column {
  readonly className: string
  readonly style: CSSProperties
  /** Keeps the areas out of the order of the Tab key: a table says the same with links. */
  readonly tabIndex: -1
  /** Holds the tooltip. */
  readonly children: ReactNode
}

/** Renders the area of an item, such as a link with the attributes of `column`. */
export type RenderColumn = (at: number, column: Column) => ReactNode

interface ColumnsProps {
  readonly area: PlotArea
  readonly describe: (at: number) => string
  readonly renderColumn: RenderColumn | undefined
}

const plain: RenderColumn = (at, column) => <span key={at} {...column} />

/** Lays an area over each item of a chart, which shows a tooltip under the pointer. Screen readers have the table. */
export function Columns({ area, describe, renderColumn = plain }: ColumnsProps) {
  const { x, height } = area
  const items = x.domain()
  return (
    <div aria-hidden className="absolute inset-0">
      {items.map((at) =>
        renderColumn(at, {
          className:
            'group absolute m-0! rounded-sm p-0! text-text hover:bg-text/5 hover:no-underline focus-visible:outline-none',
          style: { left: x(at), width: x.bandwidth(), top: 0, height: height - margin.bottom },
          tabIndex: -1,
          children: (
            <span
              className={`pointer-events-none absolute top-0 z-10 hidden w-max max-w-60 rounded-md border border-line bg-panel px-2 py-1 text-sm shadow-lg group-hover:block ${
                at * 2 < items.length ? 'left-full ml-1' : 'right-full mr-1'
              }`}
            >
              {describe(at)}
            </span>
          ),
        }),
      )}
    </div>
  )
}
