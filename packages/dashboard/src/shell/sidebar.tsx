import { Link } from '@tanstack/react-router'
import { destinations } from './navigation.ts'
import { useOrganization } from '../session/organization.ts'

/** Renders the links to the screens of an organization. */
export function Sidebar() {
  const { slug, can } = useOrganization()
  return (
    <nav aria-label="Screens" className="flex flex-col gap-3">
      {destinations.map((group, at) => (
        <ul key={at} className="flex flex-col gap-px">
          {group
            .filter(({ role }) => role === undefined || can(role))
            .map(({ label, to, icon: Icon }) => (
              <li key={label}>
                <Link
                  to={to}
                  params={{ org: slug }}
                  activeOptions={{ exact: to === '/$org', includeSearch: false }}
                  className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-text no-underline hover:bg-raised hover:no-underline aria-[current=page]:bg-raised aria-[current=page]:font-medium forced-colors:aria-[current=page]:outline-2"
                >
                  <Icon aria-hidden size={15} className="text-muted" />
                  {label}
                </Link>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  )
}
