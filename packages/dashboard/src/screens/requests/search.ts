import { requestStates } from '@signalbox/contract'
import { oneOf, readSearch } from '../address-values.ts'

/** Reads the address of the requests. */
export const readRequestsSearch = readSearch({
  /** Selects the requests of the person, or all. Default those that wait for a review of the person. */
  view: oneOf('mine', 'all'),
  /** Selects those in one state. `waiting` stands for all that are not over. */
  state: oneOf('waiting', ...requestStates),
})

/** Describes which requests are listed, as the address holds it. */
export type RequestsSearch = ReturnType<typeof readRequestsSearch>

/** Reads the address of one request. */
export const readRequestSearch = readSearch({
  /** Names the open dialog. */
  panel: oneOf('edit', 'schedule', 'override'),
  /** Says whether what it would change now is shown beside what its reviewers saw. */
  against: oneOf('now'),
})

/** Describes what is open on the page of a request. */
export type RequestSearch = ReturnType<typeof readRequestSearch>
