import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../../../components/code.tsx'
import { Button } from '../../../components/button.tsx'
import { toDomId, type GridColumn, type GridModel } from '../grid/grid-model.ts'
import { toCellId } from '../matrix.ts'
import { toEditText } from '../parse-value.ts'
import type { Revealed } from '../use-reveal.ts'
import type { Workspace } from './use-workspace.ts'

interface RevealedSecretProps {
  readonly workspace: Pick<Workspace, 'revealed' | 'model'>
  readonly columns: readonly GridColumn[]
}

/** Shows the secret that was revealed last until it is hidden. */
export function RevealedSecret({ workspace: { revealed, model }, columns }: RevealedSecretProps) {
  if (revealed === undefined) return null
  return <RevealPopover key={revealed.until} revealed={revealed} columns={columns} model={model} />
}

interface RevealPopoverProps {
  readonly revealed: Revealed
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
}

/** Shows the whole text of a revealed secret beside its cell for 30 seconds. Escape hides it before. */
function RevealPopover({ revealed, columns, model }: RevealPopoverProps) {
  const { cellRef, value } = revealed
  const { row, environment } = cellRef
  const popover = useRef<HTMLDivElement>(null)
  const column = 1 + columns.findIndex((one) => one.environment.id === environment.id)
  const hide = () => {
    model.hide(toCellId(environment.id, row.key))
    model.navigator.current?.goTo(row.key, column)
  }

  useEffect(() => {
    const cell = document.querySelector<HTMLElement>(`#${CSS.escape(toDomId(row.key, column))}`)
    popover.current?.showPopover(cell ? { source: cell } : {})
    popover.current?.querySelector('button')?.focus()
  }, [row.key, column])

  return (
    <div
      ref={popover}
      popover="manual"
      role="dialog"
      aria-label={`${row.key} in ${environment.name}`}
      className="menu w-[min(28rem,calc(100vw-2rem))] rounded-md border border-line bg-panel p-3 shadow-lg"
      onKeyDown={({ key }) => {
        if (key === 'Escape') hide()
      }}
    >
      <div className="flex flex-col gap-2">
        <div className="flex items-start gap-2 rounded-md bg-raised py-1 pr-1 pl-3">
          <pre
            tabIndex={0}
            className="max-h-60 min-w-0 flex-1 overflow-y-auto py-1.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {toEditText(value)}
          </pre>
          <CopyButton text={toEditText(value)} label="Copy the secret" />
        </div>
        <Countdown until={revealed.until} />
        <div className="flex items-center justify-between gap-3">
          <span className="text-sm text-muted">The audit log records this reveal.</span>
          <Button onClick={hide}>Hide</Button>
        </div>
      </div>
    </div>
  )
}

const shownForSeconds = 30

/** Shows how long the secret stays visible, second by second: a bar that moves would be an animation. */
function Countdown({ until }: { readonly until: number }) {
  const [seconds, setSeconds] = useState(shownForSeconds)
  useEffect(() => {
    const timer = setInterval(
      () => setSeconds(Math.max(0, Math.round((until - Date.now()) / 1000))),
      1000,
    )
    return () => clearInterval(timer)
  }, [until])
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      <div aria-hidden className="h-1 flex-1 overflow-hidden rounded bg-raised">
        <div
          className="h-full bg-accent forced-colors:bg-[Highlight]"
          style={{ width: `${(100 * seconds) / shownForSeconds}%` }}
        />
      </div>
      <span className="tabular-nums">Hides in {seconds} s</span>
    </div>
  )
}
