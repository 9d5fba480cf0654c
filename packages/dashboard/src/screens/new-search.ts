/** Whether the dialog that makes a new one is open: an address leads to it. */
export interface NewSearch {
  readonly new?: true
}

export function readNewSearch(search: Record<string, unknown>): NewSearch {
  return search['new'] === true ? { new: true } : {}
}
