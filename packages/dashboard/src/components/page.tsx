import { useEffect, type ReactNode } from 'react'

interface PageProps {
  readonly title: string
  /** Holds a picture before the title. */
  readonly icon?: ReactNode
  /** Holds the way back, above the title. */
  readonly above?: ReactNode
  /** Holds badges beside the title. */
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Renders a screen: its title, which is the tab's title too, its actions, and the content. */
export function Page({ title, icon, above, beside, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Signalbox`
  }, [title])
  return (
    <div className="flex flex-col gap-4">
      {above !== undefined && <div className="-mb-3">{above}</div>}
      <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {icon}
          <h1 className="min-w-0 text-xl font-semibold break-words">{title}</h1>
          {beside}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
