/** Describes whether the dialog that makes a new one is open: an address leads to it. */
export interface NewSearch {
  readonly new?: true
}

/** Reads the address of the screen; what it does not know is left out. */
export function readNewSearch(search: Record<string, unknown>): NewSearch {
  return search['new'] === true ? { new: true } : {}
}
