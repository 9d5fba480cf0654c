/** Lists the containers that take the focus, from the inside out. */
const targets = 'dialog[open], section, main'

/**
 * Moves the focus to the closest remaining container when the focused element leaves the page, such as the button of
 * a deleted row. Otherwise screen readers start at the top again.
 */
export function keepFocus(): void {
  let ancestors: readonly Element[] = []
  addEventListener('focusin', ({ target }) => {
    ancestors = target instanceof Element ? [...withAncestors(target)] : []
  })
  new MutationObserver(() => {
    const [focused] = ancestors
    if (focused === undefined || focused.isConnected) return
    const target = ancestors.find((element) => element.isConnected && element.matches(targets))
    ancestors = []
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!isLost || !(target instanceof HTMLElement)) return
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}

function* withAncestors(element: Element): Iterable<Element> {
  for (let at: Element | null = element; at !== null; at = at.parentElement) yield at
}
