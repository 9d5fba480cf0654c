import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { buttonLook } from '../parts/button.tsx'
import { EmptyState } from '../parts/states.tsx'
import { Mark } from './mark.tsx'
import { ThemeMenu } from './theme-menu.tsx'

/** In place of the whole page, where there is no frame around it. */
export function NotFoundPage() {
  return (
    <main className="mx-auto w-full max-w-xl p-4 py-10">
      <header className="flex items-center justify-between">
        <Mark />
        <ThemeMenu />
      </header>
      <NotFound />
    </main>
  )
}

/** Where an address leads to no screen. */
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
        <Link to="/" className={buttonLook('plain')}>
          Go to the start page
        </Link>
      }
    >
      The address is wrong, or it belongs to an organization that you are not a member of.
    </EmptyState>
  )
}
