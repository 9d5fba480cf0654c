import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'

/** Describes one action of a menu. */
export interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
  readonly danger?: boolean
  /** Explains why the action is disabled. */
  readonly disabledReason?: string
}

interface MenuProps {
  /** Labels the menu, and its button when that shows only an icon. */
  readonly label: string
  /** Says whether the text of the button is its name. */
  readonly namedByText?: boolean
  /** Holds the content of the button. */
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
  readonly buttonClass: string
}

/**
 * Renders a button that opens a list of actions in the platform's popover. Arrow keys and first letters move, Escape
 * returns to the button.
 */
export function Menu({ label, namedByText = false, children, items, buttonClass }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const anchor = `--menu${id.replaceAll(/[^\w]/g, '')}`

  const entries = () => [
    ...(list.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]') ?? []),
  ]
  const open = (at: number) => {
    list.current?.showPopover(button.current ? { source: button.current } : {})
    entries().at(at)?.focus()
  }
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open(event.key === 'ArrowDown' ? 0 : -1)
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={namedByText ? undefined : label}
        title={label}
        aria-haspopup="menu"
        popoverTarget={id}
        style={{ anchorName: anchor }}
        className={buttonClass}
        onKeyDown={openByKey}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        style={{ positionAnchor: anchor }}
        className="menu min-w-44 rounded-md border border-line bg-panel p-1 shadow-lg"
        onToggle={(event) => {
          if (event.newState === 'open' && !list.current?.contains(document.activeElement))
            entries()[0]?.focus()
        }}
        onKeyDown={(event) => moveFocus(event, entries())}
      >
        {items.map((item) => (
          <MenuEntry key={item.label} item={item} onClose={() => list.current?.hidePopover()} />
        ))}
      </div>
    </>
  )
}

function MenuEntry({ item, onClose }: Readonly<{ item: MenuItem; onClose: () => void }>) {
  const { label, onSelect, danger, disabledReason } = item
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabledReason !== undefined}
      title={disabledReason}
      className={`menu-item ${danger === true ? 'text-bad' : ''}`}
      onClick={() => {
        if (disabledReason !== undefined) return
        flushSync(onClose)
        onSelect()
      }}
    >
      {label}
    </button>
  )
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Moves the focus among the `entries` of a menu by the arrow keys, Home, End and first letters, cyclically. Tab
 * leaves the menu.
 */
export function moveFocus(
  event: KeyboardEvent<HTMLElement>,
  entries: readonly HTMLElement[],
): void {
  // Closing returns the focus to the button, from where the browser's Tab continues.
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  const at = entries.findIndex((entry) => entry === document.activeElement)
  const next = steps[event.key]?.(at, entries.length) ?? findLetter(event, entries, at)
  if (next === undefined) return
  event.preventDefault()
  entries[next]?.focus()
}

/** Finds the next entry that begins with the typed letter, or the same one. */
function findLetter(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  entries: readonly HTMLElement[],
  at: number,
): number | undefined {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
  const order = entries.map((_, index) => (at + 1 + index) % entries.length)
  const begins = (index: number) =>
    entries[index]?.textContent.trim().toLowerCase().startsWith(key.toLowerCase())
  return order.find(begins) ?? at
}
