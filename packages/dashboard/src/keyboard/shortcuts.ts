/** Whether keys are meant for a field, and not for the page. */
export function isTyping({ target }: KeyboardEvent): boolean {
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
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.timeStamp - pressedAt < pairWithinMs) {
      pressedAt = -Infinity
      go(event.key)
    } else if (event.key === 'g') pressedAt = event.timeStamp
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
