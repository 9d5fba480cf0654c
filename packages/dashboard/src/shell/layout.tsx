import { useLocation, Link, useNavigate } from '@tanstack/react-router'
import { Menu as MenuIcon, Search, ChevronsUpDown } from 'lucide-react'
import { useEffect, useRef, type ReactNode, useSyncExternalStore } from 'react'
import { openPalette } from '../palette/open-palette.ts'
import { Palette } from '../palette/palette.tsx'
import { KeyboardHelp } from '../keyboard/keyboard-help.tsx'
import { openKeyboardHelp } from '../keyboard/open-keyboard-help.ts'
import { PersonMenu } from './person-menu.tsx'
import { ProviderError } from './provider-error.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { destinations } from './navigation.ts'
import { useOrganization } from '../session/organization.ts'
import { Menu } from '../components/menu.tsx'
import { useMe } from '../session/session.ts'
import { reachability } from '../api/reachability.ts'
import { useStore } from '../browser/store.ts'
import { liveState, type LiveState } from '../live/live-state.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

function describe(state: LiveState): readonly [text: string, color: string] {
  switch (state.kind) {
    case 'connecting':
      return ['Connecting', 'bg-edge']
    case 'live':
      return ['Live', 'bg-ok']
    case 'reconnecting':
      return ['Reconnecting', 'bg-warn']
    case 'stale':
      return [`Stale since ${clock.format(state.since)}`, 'bg-bad']
  }
}

/** The stream stands, and everything else fails. */
const failing = ['Server not responding', 'bg-bad'] as const

/** Shows whether the page is up to date. */
function LiveDot() {
  const state = useStore(liveState)
  const { readsFail } = useSyncExternalStore(reachability.subscribe, reachability.get)
  const isFailing = state.kind === 'live' && readsFail
  const [text, color] = isFailing ? failing : describe(state)
  return (
    <span
      role="status"
      data-live={isFailing ? 'failing' : state.kind}
      className="inline-flex items-center gap-1.5 px-1 text-sm text-muted"
    >
      <span aria-hidden className={`size-2 rounded-full forced-colors:bg-[CanvasText] ${color}`} />
      <span className={state.kind === 'live' && !isFailing ? 'max-sm:sr-only' : ''}>{text}</span>
    </span>
  )
}

/**
 * Renders the sidebar on the left, the header above and the screen in the middle. On a phone the sidebar is behind a
 * button.
 */
export function Layout({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation()
  const drawer = useRef<HTMLDivElement>(null)
  useEffect(() => drawer.current?.hidePopover(), [pathname])

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-10 rounded-md bg-panel px-3 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <div className="sticky top-0 hidden h-dvh flex-col gap-3 overflow-y-auto border-r border-line bg-panel p-2 lg:flex">
        <OrganizationMenu />
        <Sidebar />
      </div>
      <div
        ref={drawer}
        id="sidebar"
        popover="auto"
        className="m-0 h-dvh max-h-none w-64 flex-col gap-3 border-r border-line p-2 open:flex"
      >
        <OrganizationMenu />
        <Sidebar />
      </div>
      <div className="flex min-w-0 flex-col">
        <header className="flex items-center gap-2 px-4 pt-3">
          <button
            type="button"
            popoverTarget="sidebar"
            aria-label="Navigation"
            className="inline-flex size-8 items-center justify-center rounded-md hover:bg-raised lg:hidden"
          >
            <MenuIcon aria-hidden size={18} />
          </button>
          <button
            type="button"
            onClick={openPalette}
            className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md border border-line bg-panel px-3 text-muted hover:border-edge sm:max-w-72"
          >
            <Search aria-hidden size={15} />
            <span className="truncate">Search or jump to</span>
            <kbd className="ml-auto hidden font-mono text-xs sm:block">Ctrl K</kbd>
          </button>
          <div className="ml-auto flex items-center gap-1">
            <LiveDot />
            <ThemeMenu />
            <PersonMenu onKeys={openKeyboardHelp} />
          </div>
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 p-4 outline-none">
          <ProviderError />
          {children}
        </main>
      </div>
      <Palette />
      <KeyboardHelp />
    </div>
  )
}

/** Renders the links to the screens of an organization. */
function Sidebar() {
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

/** Renders the current organization, with a menu of the others and a new one. */
function OrganizationMenu() {
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
