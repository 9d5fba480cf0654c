import { createContext, useContext } from 'react'

/** Opens the drawer for a new segment. It calls back with the name of what was created. */
export type CreateSegment = (onCreated: (name: string) => void) => void

/** Holds how a condition creates a segment, for `useNewSegment`. */
export const NewSegmentContext = createContext<CreateSegment | undefined>(undefined)

/** Returns a function that opens the drawer for a new segment. `undefined`: nobody above offers one. */
export function useNewSegment(): CreateSegment | undefined {
  return useContext(NewSegmentContext)
}
