const show = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' })

/** Returns what lets the one of a list stand out that the address names; it is brought into view once. */
export function highlightNamed(isNamed: boolean) {
  return isNamed ? ({ ref: show, 'aria-current': 'true', 'data-named': '' } as const) : {}
}
