import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { call } from '../api/call.ts'
import { toApiProblem } from '../api/problem.ts'
import { Menu } from '../components/menu.tsx'
import { showRejection } from '../components/show-rejection.ts'
import { leaveEverywhere } from '../session/forget-person.ts'
import { useMe } from '../session/session.ts'

interface PersonMenuProps {
  /** Opens the list of shortcuts. Absent where there are none. */
  readonly onKeys?: () => void
}

/** Renders the menu of the signed-in person, with the sign-out. */
export function PersonMenu({ onKeys }: PersonMenuProps) {
  const { data: me } = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const signOut = async () => {
    try {
      await call('DELETE /sessions/current')
    } catch (error) {
      // A 401 means that the session has already ended elsewhere.
      if (toApiProblem(error).status !== 401) {
        showRejection('sign you out', error)
        return
      }
    }
    leaveEverywhere(client)
    await navigate({ to: '/login', search: {} })
  }
  return (
    <Menu
      label={me === undefined ? 'Account' : `Account of ${me.name}`}
      buttonClass="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
      items={[
        { label: 'Your account', onSelect: () => void navigate({ to: '/account' }) },
        ...(onKeys ? [{ label: 'Keyboard shortcuts', onSelect: onKeys }] : []),
        { label: 'Documentation', onSelect: () => location.assign('/docs/guide') },
        { label: 'API reference', onSelect: () => location.assign('/docs') },
        { label: 'Sign out', onSelect: () => void signOut() },
      ]}
    >
      <CircleUser aria-hidden size={17} />
    </Menu>
  )
}
