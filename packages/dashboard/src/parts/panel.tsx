import { useId, type ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  /** Beside the title: a badge, a filter, one button. */
  readonly actions?: ReactNode
  /** Whether the content brings its own edges, as a table does. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A framed part of a screen. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-panel">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {actions}
      </header>
      <div className={flush ? 'relative overflow-x-auto' : 'p-4'}>{children}</div>
    </section>
  )
}
