import { openDialogs } from '../components/open-dialogs.ts'
import { createPreference } from '../browser/store.ts'

const preference = createPreference('keys-of-one-letter')

/**
 * Holds whether shortcuts without Ctrl are on in this browser. People who dictate turn them off, because their words
 * would trigger them.
 */
export const letterKeys = {
  get: (): boolean => preference.get() !== 'off',
  set: (isOn: boolean): void => preference.set(isOn ? null : 'off'),
  subscribe: preference.subscribe,
}

/** Returns whether a key without Ctrl is meant for the page, and not for a field, an open menu or a dialog. */
export function isForPage(event: KeyboardEvent): boolean {
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
