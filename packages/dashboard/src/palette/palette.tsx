import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useStore } from '../browser/store.ts'
import { Combobox } from '../components/combobox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Age } from '../components/time.tsx'
import { deploymentVariants } from '../screens/deployments/states.ts'
import { useOrganization } from '../session/organization.ts'
import { useLack } from '../session/use-capability.ts'
import { useIsMissing } from '../session/use-provider-name.ts'
import { toActions } from './actions.ts'
import { keyOf, toCommands, type Command } from './commands.ts'
import { focusArrival } from './focus-arrival.ts'
import { listCommands, mayBeFirst } from './list-commands.ts'
import { isPaletteOpen } from './open-palette.ts'
import { useRecentCommands, useRememberedPages } from './use-recent-commands.ts'
import { useSearchCommands } from './use-search-commands.ts'

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
