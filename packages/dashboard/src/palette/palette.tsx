import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from '../browser/store.ts'
import { Combobox } from '../components/combobox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Age } from '../components/time.tsx'
import { deploymentVariants } from '../screens/deployments/states.ts'
import { useOrganization } from '../session/organization.ts'
import { useLack } from '../session/use-capability.ts'
import { useIsMissing } from '../session/use-provider-name.ts'
import type { AnswerOf } from '../api/routes.ts'
import { useRead } from '../api/use-api.ts'
import { useDebounced } from '../browser/use-debounced.ts'
import { toActions } from './actions.ts'
import { keyOf, toCommands, type Command } from './commands.ts'
import { listCommands, mayBeFirst } from './list-commands.ts'
import { isPaletteOpen } from './open-palette.ts'
import { readRecent, rememberPage } from './recent-pages.ts'

/** Gives up after so long: the screen has no grid, or its rows do not come. */
const patienceMs = 5_000

/**
 * Moves the focus to the first value of the row that a result leads to, so that the next key acts on it. The screen before may
 * have that row as well: once it is gone, its successor gets the focus. Does nothing for an address without a row, and stops
 * once the person presses something. Called before the address is opened.
 */
function focusArrival(href: string): void {
  const { pathname, searchParams } = new URL(href, location.origin)
  const key = searchParams.get('filter')
  const isHere = pathname === location.pathname
  if (key === null) return
  const ended = new AbortController()
  const { signal } = ended
  const stop = () => ended.abort()
  let reached: HTMLElement | undefined
  const poll = () => {
    // Behind a dialog that is still closing nothing takes the focus.
    if (reached?.isConnected === true && document.activeElement === reached) return
    reached = findFirstValue(key)
    reached?.focus()
  }
  const observer = new MutationObserver(poll)
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
  // The key that chose the result is still on its way through the page.
  const chosenAt = performance.now()
  const stopLater = ({ timeStamp }: Event) => {
    if (timeStamp > chosenAt) stop()
  }
  for (const event of ['keydown', 'pointerdown']) addEventListener(event, stopLater, { signal })
  setTimeout(stop, patienceMs)
  // The screen that is open already may show the row without any change.
  if (isHere) requestAnimationFrame(poll)
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
}

/** Finds the first value of exactly this key: the filter of the address also shows keys whose names contain it. */
function findFirstValue(key: string): HTMLElement | undefined {
  const header = document.querySelector(`main [role="rowheader"][data-key="${CSS.escape(key)}"]`)
  return header?.parentElement?.querySelector<HTMLElement>('[role="gridcell"]') ?? undefined
}

/**
 * Renders the palette, which finds every screen and action by a few letters. It opens by Ctrl+K or by the field in
 * the header.
 */
export function Palette() {
  const isOpen = useStore(isPaletteOpen)
  useRememberedPages()
  useEffect(() => {
    const openOrClose = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      isPaletteOpen.set(!isPaletteOpen.get())
    }
    addEventListener('keydown', openOrClose)
    return () => {
      removeEventListener('keydown', openOrClose)
      isPaletteOpen.set(false)
    }
  }, [])
  return isOpen ? <PaletteDialog onClose={() => isPaletteOpen.set(false)} /> : null
}

function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug, params, can } = useOrganization()
  const { history } = useRouter()
  const [query, setQuery] = useState('')
  const recent = useRecentCommands()
  const canSync = !useIsMissing('codehost')
  const lack = useLack('codehost', 'startWorkflows')
  const { results, isSearching } = useSearchCommands(query)
  const go = (href: string) => history.push(href)
  const commands = listCommands(query, {
    recent,
    actions: toActions({ slug, params, can, go, canSync, canRunWorkflows: lack === undefined }),
    screens: toCommands(slug, can),
    results,
    isSearching,
  })
  return (
    <Dialog title="Go to" shape="top" onClose={onClose}>
      <Combobox
        variant="dialog"
        label="Search or jump to"
        listLabel="Results"
        placeholder="A screen, a commit, an issue, a key…"
        query={query}
        onQuery={setQuery}
        options={commands}
        keyOf={keyOf}
        mayBeFirst={(command) => mayBeFirst(command, query)}
        render={(command) => <CommandOption command={command} />}
        headingOf={({ kind }) => headings[kind] ?? kind}
        onChoose={({ does }) => {
          onClose()
          if (typeof does === 'string') {
            focusArrival(does)
            go(does)
          } else does()
        }}
        status={commands.length === 0 && isSearching ? 'Searching' : undefined}
        isSearching={isSearching}
      />
    </Dialog>
  )
}

const headings: Readonly<Record<string, string>> = {
  Recent: 'Recent pages',
  Screen: 'Pages',
  Action: 'Actions',
  Deployment: 'Deployments',
  Environment: 'Environments',
  Schema: 'Schemas',
  Segment: 'Segments',
  Request: 'Requests',
  Key: 'Keys',
  Member: 'Members',
}

function CommandOption({ command }: { readonly command: Command }) {
  const { label, detail, kind, state = null, at = null } = command
  return (
    <>
      <span className="min-w-0">
        <bdi className="block truncate">{label}</bdi>
        {detail !== undefined && detail !== null && (
          <bdi className="block truncate text-sm text-muted">{detail}</bdi>
        )}
      </span>
      <span className="text-sm whitespace-nowrap text-muted">
        {state === null ? kind : deploymentVariants[state].word}
        {at !== null && (
          <>
            {' · '}
            <Age at={at} />
          </>
        )}
      </span>
    </>
  )
}

/** Stores each page of the organization when the person leaves it, because its title is known by then. */
function useRememberedPages(): void {
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
function useRecentCommands(): readonly Command[] {
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

type SearchItem = AnswerOf<'GET /organizations/{org_id}/search'>['items'][number]

const kinds: Readonly<Record<SearchItem['kind'], string>> = {
  deployment: 'Deployment',
  environment: 'Environment',
  schema: 'Schema',
  segment: 'Segment',
  request: 'Request',
  key: 'Key',
  member: 'Member',
  page: 'Screen',
}

/** Waits so many milliseconds after the last key before the server is asked. */
const quietMs = 150

/** Returns the server's results for a query, and whether a search is running. */
function useSearchCommands(query: string): {
  readonly results: readonly Command[]
  readonly isSearching: boolean
} {
  const { slug } = useOrganization()
  const typed = query.trim()
  const settled = useDebounced(typed, quietMs)
  const isSearchable = settled.length >= 2 && typed.length >= 2
  const search = useRead('GET /organizations/{org_id}/search', {
    query: { query: settled.slice(0, 100) },
    enabled: isSearchable,
  })
  if (!isSearchable) return { results: [], isSearching: typed.length >= 2 }
  return {
    results: (search.data?.items ?? []).map((item) => toCommand(slug, item)),
    isSearching: search.isPlaceholderData || search.isPending || settled !== typed,
  }
}

/** Returns the command that opens a result in the current organization. */
function toCommand(slug: string, item: SearchItem): Command {
  const { kind, title, detail, state, at, href } = item
  const does = `/${slug}${href}`.replace(/\/$/, '')
  return { label: title, kind: kinds[kind], detail, state, at, does }
}
