import { useEffect, type ReactNode } from 'react'
import { Logo } from './logo.tsx'
import { ThemeMenu } from './theme-menu.tsx'

interface SignedOutLayoutProps {
  readonly title: string
  readonly lead?: ReactNode
  /** Says whether the page shows code, whose lines are longer than fields. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Renders the pages before the sign-in. */
export function SignedOutLayout({ title, lead, isWide = false, children }: SignedOutLayoutProps) {
  useEffect(() => {
    document.title = `${title} · Signalbox`
  }, [title])
  return (
    <main
      className={`mx-auto flex min-h-dvh w-full flex-col justify-center gap-5 p-4 py-10 ${isWide ? 'max-w-4xl' : 'max-w-lg'}`}
    >
      <header className="flex items-center justify-between">
        <Logo />
        <ThemeMenu />
      </header>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-panel p-6">
        <div>
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead !== undefined && <p className="mt-1 text-muted">{lead}</p>}
        </div>
        {!isSecureContext && (
          <p role="alert" className="rounded-md bg-warn-ground px-3 py-2 text-warn">
            Browsers don’t keep a sign-in over plain http. Open this address with https, or on the
            server’s own machine.
          </p>
        )}
        {children}
      </div>
    </main>
  )
}
