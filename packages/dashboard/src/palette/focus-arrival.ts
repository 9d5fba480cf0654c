/** Gives up after so long: the screen has no grid, or its rows do not come. */
const patienceMs = 5_000

/**
 * Moves the focus to the first value of the row that a result leads to, so that the next key acts on it. The screen before may
 * have that row as well: once it is gone, its successor gets the focus. Does nothing for an address without a row, and stops
 * once the person presses something.
 */
export function focusArrival(href: string): void {
  const key = new URL(href, location.origin).searchParams.get('filter')
  if (key === null) return
  const ended = new AbortController()
  const { signal } = ended
  const stop = () => ended.abort()
  let reached: HTMLElement | undefined
  const look = () => {
    if (reached?.isConnected === true) return
    reached = findFirstValue(key)
    reached?.focus()
  }
  const observer = new MutationObserver(look)
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
  // The key that chose the result is still on its way through the page.
  const chosenAt = performance.now()
  const stopLater = ({ timeStamp }: Event) => {
    if (timeStamp > chosenAt) stop()
  }
  for (const event of ['keydown', 'pointerdown']) addEventListener(event, stopLater, { signal })
  setTimeout(stop, patienceMs)
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
}

function findFirstValue(key: string): HTMLElement | undefined {
  const rows = document.querySelectorAll('main [role="row"]')
  const row = [...rows].find(
    (each) => each.querySelector('[role="rowheader"]')?.textContent?.includes(key) === true,
  )
  return row?.querySelector<HTMLElement>('[role="gridcell"]') ?? undefined
}
