import { openDialogs } from '../parts/open-dialogs.ts'
import { createSignal } from '../parts/signal.ts'

const storageKey = 'keys-of-one-letter'
const changed = createSignal()

/** Whether keys without Ctrl do something, kept in this browser. Who speaks to the computer turns them off: words would press them. */
export const letterKeys = {
  get: (): boolean => localStorage.getItem(storageKey) !== 'off',
  set: (isOn: boolean): void => {
    if (isOn) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
    changed.send()
  },
  subscribe: changed.listen,
}

/** Whether a key without Ctrl is meant for the page, and not for a field, an open menu or a dialog that lies over it. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  return letterKeys.get() && !isTyping(event) && openDialogs.top() === undefined
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** How long after the first key the second one counts. */
const pairWithinMs = 1200

/** Calls `go` with the key that follows a `g`. Answers how to stop listening. */
export function onGoKeys(go: (key: string) => void): () => void {
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
