/** Holds what a screen is made of, from the inside out: where a person was is the innermost that is still there. */
const targets = 'dialog[open], section, main'

/**
 * Keeps the focus where the person was when the element that has it is taken off the page, such as the button of a row
 * that they deleted: without it, screen readers begin at the top again.
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
