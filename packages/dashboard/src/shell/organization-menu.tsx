import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { Menu } from '../components/menu.tsx'
import { useOrganization } from '../session/organization.ts'
import { useMe } from '../session/session.ts'

/** Renders the current organization, with a menu of the others and a new one. */
export function OrganizationMenu() {
  const { name, slug } = useOrganization()
  const navigate = useNavigate()
  const { data: me } = useMe()
  const others = (me?.organizations ?? []).filter((other) => other.slug !== slug)
  return (
    <Menu
      label="Organizations"
      namedByText
      buttonClass="flex min-h-9 w-full items-center gap-2 rounded-md border border-line px-2.5 font-medium hover:bg-raised"
      items={[
        ...others.map((other) => ({
          label: other.name,
          onSelect: () => void navigate({ to: '/$org', params: { org: other.slug } }),
        })),
        { label: 'All organizations', onSelect: () => void navigate({ to: '/orgs' }) },
      ]}
    >
      <span
        aria-hidden
        className="inline-flex size-5 shrink-0 items-center justify-center rounded bg-accent text-xs text-on-accent"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 truncate text-left">{name}</span>
      <ChevronsUpDown aria-hidden size={14} className="text-muted" />
    </Menu>
  )
}
