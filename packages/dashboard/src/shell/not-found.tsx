import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/states.tsx'
import { Logo } from './logo.tsx'
import { ThemeMenu } from './theme-menu.tsx'

/** Renders a whole page for an address without a screen. */
export function NotFoundPage() {
  return (
    <main className="mx-auto w-full max-w-xl p-4 py-10">
      <header className="flex items-center justify-between">
        <Logo />
        <ThemeMenu />
      </header>
      <NotFound />
    </main>
  )
}

/** Renders the content for an address without a screen. */
export function NotFound() {
  useEffect(() => {
    document.title = 'Nothing is here · Signalbox'
  }, [])
  return (
    <EmptyState
      icon={SearchX}
      isScreen
      title="Nothing is here"
      action={
        <Link to="/" className={buttonClass('plain')}>
          Go to the start page
        </Link>
      }
    >
      The address is wrong, or it belongs to an organization that you’re not a member of.
    </EmptyState>
  )
}
