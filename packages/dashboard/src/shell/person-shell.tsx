import { Link, Navigate, Outlet } from '@tanstack/react-router'
import { Loaded } from '../components/states.tsx'
import { Logo } from './logo.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ProviderError } from './provider-error.tsx'
import { useMe } from '../session/session.ts'
import { ThemeMenu } from './theme-menu.tsx'

/** Renders the pages of a person, outside of any organization. */
export function PersonShell() {
  const me = useMe()
  if (me.error?.status === 401) {
    const returnTo = `${location.pathname}${location.search}`
    return <Navigate to="/login" search={{ returnTo, ...(me.data && { ended: true }) }} />
  }
  return (
    <div className="mx-auto flex min-h-dvh max-w-4xl flex-col gap-6 p-4">
      <header className="flex items-center gap-1">
        <Link to="/" className="mr-auto text-text no-underline hover:no-underline">
          <Logo />
        </Link>
        <ThemeMenu />
        <PersonMenu />
      </header>
      <main>
        <ProviderError />
        <Loaded
          query={me}
          around={(instead) => (
            <>
              <h1 className="sr-only">Signalbox</h1>
              {instead}
            </>
          )}
        >
          {() => <Outlet />}
        </Loaded>
      </main>
    </div>
  )
}
