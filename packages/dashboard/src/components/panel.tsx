import { useId, type ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  /** Holds a picture before the title, in its line. */
  readonly icon?: ReactNode
  /** Holds a badge, a filter or one button beside the title. */
  readonly actions?: ReactNode
  /** Says whether the content has its own padding, as a table does. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** Shows a framed part of a screen. */
export function Panel({ title, icon, actions, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-panel">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 id={id} className="min-w-0 font-semibold wrap-anywhere">
          {icon}
          {title}
        </h2>
        {actions}
      </header>
      {flush ? (
        <div ref={letKeysScroll} className="relative overflow-x-auto">
          {children}
        </div>
      ) : (
        <div className="p-4">{children}</div>
      )}
    </section>
  )
}

/** Makes a frame focusable while its content is wider, so that the arrow keys scroll it. */
function letKeysScroll(frame: HTMLElement | null): (() => void) | undefined {
  if (frame === null) return undefined
  const observer = new ResizeObserver(() => {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0
    else frame.removeAttribute('tabindex')
  })
  observer.observe(frame)
  return () => observer.disconnect()
}
