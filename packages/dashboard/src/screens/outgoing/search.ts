/** Describes the open webhook, as the address holds it. */
export interface OutgoingSearch {
  /** Holds the id of a webhook, or `new`. */
  readonly webhook?: string
  readonly panel?: 'change' | 'rotate' | 'messages'
}

const panels = ['change', 'rotate', 'messages'] as const

/** Reads the address of the screen. Unknown values are left out. */
export function readOutgoingSearch({ webhook, panel }: Record<string, unknown>): OutgoingSearch {
  const known = panels.find((each) => each === panel)
  return {
    ...(typeof webhook === 'string' && webhook !== '' && { webhook }),
    ...(known !== undefined && { panel: known }),
  }
}
