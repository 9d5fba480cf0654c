/** What a screen is made of, from the inside out: where a person was is the innermost that is still there. */
const places = 'dialog[open], section, main'

/**
 * Keeps the focus where the person was when the element that has it is taken off the page, such as the button of a row
 * that they deleted: without it, screen readers begin at the top again.
 */
export function keepFocus(): void {
  let held: readonly Element[] = []
  addEventListener('focusin', ({ target }) => {
    held = target instanceof Element ? [...withAncestors(target)] : []
  })
  new MutationObserver(() => {
    const [focused] = held
    if (focused === undefined || focused.isConnected) return
    const place = held.find((element) => element.isConnected && element.matches(places))
    held = []
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!isLost || !(place instanceof HTMLElement)) return
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1
    place.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}

function* withAncestors(element: Element): Iterable<Element> {
  for (let at: Element | null = element; at !== null; at = at.parentElement) yield at
}
