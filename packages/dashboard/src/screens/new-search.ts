/** Describes whether the dialog that creates an entry is open. */
export interface NewSearch {
  readonly new?: true
}

/** Reads the address of the screen. Unknown values are left out. */
export function readNewSearch(search: Record<string, unknown>): NewSearch {
  return search['new'] === true ? { new: true } : {}
}
