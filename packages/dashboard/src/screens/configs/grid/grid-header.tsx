import { ShieldCheck } from 'lucide-react'
import { describeProtection } from '../review/describe-protection.ts'
import { headerHeightPx, type GridColumn } from './grid-model.ts'

interface GridHeaderProps {
  readonly columns: readonly GridColumn[]
  readonly template: string
}

const cell = 'flex min-w-0 items-center gap-1.5 border-r border-line px-3 last:border-r-0'

/** Renders the names of the environments, with a mark for protected ones. */
export function GridHeader({ columns, template }: GridHeaderProps) {
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-panel">
      <div
        role="row"
        aria-rowindex={1}
        className="grid border-b border-line text-sm font-medium text-muted"
        style={{ gridTemplateColumns: template, height: headerHeightPx }}
      >
        <div role="columnheader" aria-colindex={1} className={`${cell} sticky left-0 bg-panel`}>
          Key
        </div>
        {columns.map(({ environment }, at) => (
          <div key={environment.id} role="columnheader" aria-colindex={at + 2} className={cell}>
            <span className="truncate" title={environment.name}>
              {environment.name}
            </span>
            {isProtected(environment) && (
              <span
                title={`Changes require: ${describeProtection(environment)}`}
                className="shrink-0"
              >
                <ShieldCheck aria-hidden size={14} />
                <span className="sr-only">Changes require: {describeProtection(environment)}</span>
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

function isProtected({ protection }: GridColumn['environment']): boolean {
  return protection.confirm || protection.comment
}
