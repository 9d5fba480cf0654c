import { useRouter } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { tellCount } from '../parts/tell-count.ts'
import { useOrganization } from '../shell/organization.ts'
import { toActions } from './actions.ts'
import { keyOf, toCommands, type Command } from './commands.ts'
import { listCommands } from './list-commands.ts'
import { onOpenPalette } from './open-palette.ts'
import { useRecentCommands, useRememberedPages } from './use-recent-commands.ts'
import { useSearchCommands } from './use-search-commands.ts'

/** Goes anywhere and begins anything by a few letters: Ctrl+K, or the field in the header. */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  useRememberedPages()
  useEffect(() => onOpenPalette(() => setOpen(true)), [])
  useEffect(() => {
    const openOrClose = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    addEventListener('keydown', openOrClose)
    return () => removeEventListener('keydown', openOrClose)
  }, [])
  return isOpen ? <PaletteDialog onClose={() => setOpen(false)} /> : null
}

function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug, params, can } = useOrganization()
  const { history } = useRouter()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const recent = useRecentCommands()
  const { found, isSearching } = useSearchCommands(query)
  const go = (href: string) => history.push(href)
  const commands = listCommands(query, {
    recent,
    actions: toActions({ slug, params, can, go }),
    screens: toCommands(slug, can),
    found,
  })
  const place = Math.min(at, commands.length - 1)
  const chosen = commands[place]

  const choose = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    if (typeof command.does === 'string') go(command.does)
    else command.does()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      setAt(
        (now) => (Math.min(now, commands.length - 1) + step + commands.length) % commands.length,
      )
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(chosen)
    }
  }

  return (
    <Dialog title="Go to" shape="top" onClose={onClose}>
      <input
        className="control"
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${place}`}
        placeholder="A screen, a commit, an issue, a key …"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-y-auto">
        {commands.map((command, index) => (
          <Option
            key={keyOf(command)}
            id={`${listId}-${index}`}
            command={command}
            isChosen={index === place}
            onPoint={() => setAt(index)}
            onChoose={() => choose(command)}
          />
        ))}
      </ul>
      <p role="status" className={commands.length > 0 ? 'sr-only' : 'px-2 text-muted'}>
        {commands.length === 0 && isSearching ? 'Searching' : tellCount(commands.length)}
      </p>
    </Dialog>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  readonly isChosen: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function Option({ id, command, isChosen, onPoint, onChoose }: OptionProps) {
  const { label, detail, kind } = command
  const option = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li
      ref={option}
      id={id}
      role="option"
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className="flex min-h-8 cursor-pointer items-center justify-between gap-4 rounded px-2 py-1 aria-selected:bg-raised forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2"
    >
      <span className="min-w-0">
        <bdi className="block truncate">{label}</bdi>
        {detail !== undefined && detail !== null && (
          <bdi className="block truncate text-sm text-muted">{detail}</bdi>
        )}
      </span>
      <span className="text-sm whitespace-nowrap text-muted">{kind}</span>
    </li>
  )
}
