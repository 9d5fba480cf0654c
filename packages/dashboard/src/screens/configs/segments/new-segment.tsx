import { createContext, useContext, useState, type ReactNode } from 'react'
import { SegmentEditor } from './segment-editor.tsx'

type Create = (onCreated: (name: string) => void) => void

const NewSegmentContext = createContext<Create | undefined>(undefined)

/** Returns a function that opens the drawer for a new segment. `undefined`: nobody above offers one. */
export function useNewSegment(): Create | undefined {
  return useContext(NewSegmentContext)
}

/**
 * Lets the conditions inside create a segment. Its drawer opens above theirs, and is no part of their form: a key or a
 * submission in the drawer is not theirs.
 */
export function WithNewSegment({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<{ readonly onCreated: (name: string) => void }>()
  return (
    <NewSegmentContext value={(onCreated) => setOpen({ onCreated })}>
      {children}
      {open && (
        <SegmentEditor
          segment={undefined}
          onSaved={(name) => {
            open.onCreated(name)
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </NewSegmentContext>
  )
}
