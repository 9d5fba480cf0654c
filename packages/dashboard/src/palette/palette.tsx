import { useRouter } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { useOrganization } from '../shell/organization.ts'
import { toCommands, type Command } from './commands.ts'
import { matchCommands } from './match-commands.ts'
import { onOpenPalette } from './open-palette.ts'
import { useSearchCommands } from './use-search-commands.ts'

/** Goes anywhere and begins anything by a few letters: Ctrl+K, or the field in the header. */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => onOpenPalette(() => setOpen(true)), [])
  useEffect(() => {
    const toggle = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    addEventListener('keydown', toggle)
    return () => removeEventListener('keydown', toggle)
  }, [])
  return isOpen ? <PaletteDialog onClose={() => setOpen(false)} /> : null
}

function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug, can } = useOrganization()
  const { history } = useRouter()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const found = useSearchCommands(query)
  const places = useMemo(() => toCommands(slug, can), [slug, can])
  const commands = [...matchCommands(places, query), ...found]
  const chosen = commands[Math.min(at, commands.length - 1)]

  const choose = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    history.push(command.href)
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
    <Dialog title="Go to" onClose={onClose}>
      <input
        className="control"
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${commands.indexOf(chosen)}`}
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
          <li
            key={`${command.kind} ${command.href}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={command === chosen}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
            className="flex min-h-8 cursor-pointer items-center justify-between gap-4 rounded px-2 aria-selected:bg-raised forced-colors:aria-selected:outline-2"
          >
            <span className="min-w-0 truncate">{command.label}</span>
            <span className="text-sm whitespace-nowrap text-muted">{command.kind}</span>
          </li>
        ))}
      </ul>
      {commands.length === 0 && <p className="px-2 text-muted">Nothing matches.</p>}
    </Dialog>
  )
}
