import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { buttonLook } from '../parts/button.tsx'
import { EmptyState } from '../parts/states.tsx'

/** In place of the whole page, where there is no frame around it. */
export function NotFoundPage() {
  return (
    <main>
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
          To the start
        </Link>
      }
    >
      The address is wrong, or it belongs to an organization that you are no member of.
    </EmptyState>
  )
}
