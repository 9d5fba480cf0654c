import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useStore, createPreference } from '../browser/store.ts'
import { Dialog } from '../components/dialog.tsx'
import { Switch } from '../components/switch.tsx'
import { destinations } from '../shell/navigation.ts'
import { useOrganization } from '../session/organization.ts'
import { isKeyboardHelpOpen } from './open-keyboard-help.ts'
import { openDialogs } from '../components/open-dialogs.ts'

const preference = createPreference('keys-of-one-letter')

/**
 * Holds whether shortcuts without Ctrl are on in this browser. People who dictate turn them off, because their words
 * would trigger them.
 */
const letterKeys = {
  get: (): boolean => preference.get() !== 'off',
  set: (isOn: boolean): void => preference.set(isOn ? null : 'off'),
  subscribe: preference.subscribe,
}

/** Returns whether a key without Ctrl is meant for the page, and not for a field, an open menu or a dialog. */
function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  return letterKeys.get() && !isTyping(event) && openDialogs.get() === undefined
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Limits the time between the two keys of a shortcut. */
const pairWithinMs = 1200

/** Calls `go` with the key that follows a `g`. Returns a function that unsubscribes. */
function onGoKeys(go: (key: string) => void): () => void {
  let pressedAt = -Infinity
  const listen = (event: KeyboardEvent) => {
    if (!isForPage(event)) return
    if (event.timeStamp - pressedAt < pairWithinMs) {
      pressedAt = -Infinity
      go(event.key)
    } else if (event.key === 'g') pressedAt = event.timeStamp
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

const everywhere = [
  ['Ctrl K', 'Search, or jump to a screen'],
  ['?', 'This list'],
  ['F6', 'Focus the notifications'],
  ['Esc', 'Close what is open'],
] as const

const inTheMatrix = [
  ['Arrows, Home, End, PgUp, PgDn', 'Move between cells'],
  ['Tab', 'Move along the row, and leave it at its end'],
  ['Enter or F2', 'Edit the cell; typing replaces the value'],
  ['Enter, Esc', 'While editing: keep it and move down, or discard it'],
  ['Shift Enter', 'While editing: start a new line'],
  ['Space', 'Turn a flag on or off'],
  ['Delete', 'Remove the value'],
  ['Ctrl C, Ctrl V', 'Copy the value; paste cells or an env file'],
  ['Ctrl Z, Ctrl Shift Z', 'Undo or redo an edit'],
  ['Shift F10', 'Open the menu of the cell'],
  ['Ctrl S', 'Review the changes'],
  ['/', 'Filter the keys'],
] as const

/** Renders the list of keyboard shortcuts: `g` and a letter open a screen, `?` opens the list. */
export function KeyboardHelp() {
  const { slug, can } = useOrganization()
  const navigate = useNavigate()
  const isOpen = useStore(isKeyboardHelpOpen)

  useEffect(
    () =>
      onGoKeys((key) => {
        const destination = destinations.flat().find((one) => one.key === key)
        if (destination === undefined) return
        void navigate({ to: destination.to, params: { org: slug } })
      }),
    [navigate, slug],
  )
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && isForPage(event)) isKeyboardHelpOpen.set(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  useEffect(() => () => isKeyboardHelpOpen.set(false), [])

  if (!isOpen) return null
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => isKeyboardHelpOpen.set(false)}>
      <KeyTable title="Everywhere" keys={everywhere} />
      <LetterKeys />
      <KeyTable
        title="Go to a screen"
        keys={destinations
          .flat()
          .filter(({ role }) => role === undefined || can(role))
          .map(({ key, label }) => [`g ${key}`, label] as const)}
      />
      <KeyTable title="In the configuration matrix" keys={inTheMatrix} />
    </Dialog>
  )
}

/** Turns shortcuts without Ctrl off and on: people who dictate would trigger them with every word (WCAG 2.1.4). */
function LetterKeys() {
  const isOn = useStore(letterKeys)
  return (
    <div className="flex items-center justify-between gap-4 rounded-md border border-line px-3 py-2">
      <div>
        <p className="font-medium">Single-key shortcuts</p>
        <p className="text-sm text-muted">
          <kbd className="font-mono">?</kbd> and <kbd className="font-mono">g</kbd> with a letter.
          This list is also in the account menu.
        </p>
      </div>
      <Switch label="Single-key shortcuts" checked={isOn} onChange={letterKeys.set} />
    </div>
  )
}

interface KeyTableProps {
  readonly title: string
  readonly keys: readonly (readonly [key: string, what: string])[]
}

function KeyTable({ title, keys }: KeyTableProps) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr] max-sm:[&_dd]:mb-1.5">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-raised px-1.5 font-mono text-sm">
                {key}
              </kbd>
            </dt>
            <dd className="text-muted">{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
