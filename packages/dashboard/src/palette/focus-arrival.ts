/** Gives up after so long: the screen has no grid, or its rows do not come. */
const patienceMs = 5_000

/**
 * Moves the focus to the first value of the row that a result leads to, so that the next key acts on it. The screen before may
 * have that row as well: once it is gone, its successor gets the focus. Does nothing for an address without a row, and stops
 * once the person presses something. Called before the address is opened.
 */
export function focusArrival(href: string): void {
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
