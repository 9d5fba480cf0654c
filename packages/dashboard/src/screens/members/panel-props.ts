import type { MembersSearch } from './search.ts'

/** Describes what a view of the screen takes: what the address names, and how to change it within the view. */
export interface PanelProps {
  readonly search: MembersSearch
  readonly onOpen: (next: MembersSearch) => void
}
