const show = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' })

/** Returns the attributes of the entry that the address names: it is highlighted, and scrolled to once. */
export function highlightNamed(isNamed: boolean) {
  return isNamed ? ({ ref: show, 'aria-current': 'true', 'data-named': '' } as const) : {}
}
