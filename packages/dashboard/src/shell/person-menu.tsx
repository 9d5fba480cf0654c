import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { call } from '../api/call.ts'
import { Menu } from '../parts/menu.tsx'
import { leaveEverywhere } from './forget-person.ts'
import { useMe } from './session.ts'

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { data: me } = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const signOut = async () => {
    await call('DELETE /sessions/current')
    leaveEverywhere(client)
    await navigate({ to: '/login', search: {} })
  }
  return (
    <Menu
      label={me === undefined ? 'Account' : `Account of ${me.name}`}
      buttonClass="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
      items={[
        { label: 'Your account', onSelect: () => void navigate({ to: '/account' }) },
        { label: 'Documentation', onSelect: () => location.assign('/docs/guide') },
        { label: 'API reference', onSelect: () => location.assign('/docs') },
        { label: 'Sign out', onSelect: () => void signOut() },
      ]}
    >
      <CircleUser aria-hidden size={17} />
    </Menu>
  )
}
