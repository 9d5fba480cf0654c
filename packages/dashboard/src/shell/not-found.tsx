import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { buttonLook } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { EmptyState } from '../parts/states.tsx'

/** Within a screen's frame. */
export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        icon={SearchX}
        title="Nothing is here"
        action={
          <Link to="/" className={buttonLook('plain')}>
            To the start
          </Link>
        }
      >
        The address is wrong, or it belongs to an organization that you are no member of.
      </EmptyState>
    </Page>
  )
}

/** Where there is no frame. */
export function PageNotFound() {
  return (
    <main className="mx-auto max-w-4xl p-4">
      <NotFound />
    </main>
  )
}
