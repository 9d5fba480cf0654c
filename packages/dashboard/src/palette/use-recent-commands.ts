import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useOrganization } from '../session/organization.ts'
import type { Command } from './commands.ts'
import { readRecent, rememberPage } from './recent-pages.ts'

/** Stores each page of the organization when the person leaves it, because its title is known by then. */
export function useRememberedPages(): void {
  const router = useRouter()
  const { slug } = useOrganization()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (!pathChanged || fromLocation?.pathname.startsWith(`/${slug}/`) !== true) return
        const title = document.title.replace(/ · Signalbox$/, '')
        rememberPage(slug, { href: fromLocation.pathname, title })
      }),
    [router, slug],
  )
}

/** Returns the recent pages without the current one. */
export function useRecentCommands(): readonly Command[] {
  const { state } = useRouter()
  const { slug } = useOrganization()
  const { pathname } = state.location
  return useMemo(
    () =>
      readRecent(slug)
        .filter(({ href }) => href !== pathname)
        .slice(0, 5)
        .map(({ href, title }) => ({ label: title, kind: 'Recent', does: href })),
    [slug, pathname],
  )
}
