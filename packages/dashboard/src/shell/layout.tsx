import { useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { openPalette } from '../palette/open-palette.ts'
import { Palette } from '../palette/palette.tsx'
import { KeyboardHelp } from '../keyboard/keyboard-help.tsx'
import { openKeyboardHelp } from '../keyboard/open-keyboard-help.ts'
import { LiveDot } from './live-dot.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ProviderError } from './provider-error.tsx'
import { Sidebar } from './sidebar.tsx'
import { ThemeMenu } from './theme-menu.tsx'

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
