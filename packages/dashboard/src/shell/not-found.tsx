import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { buttonLook } from '../parts/button.tsx'
import { EmptyState } from '../parts/states.tsx'

export function NotFound() {
  return (
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
  )
}
