import { useState, type ReactNode } from 'react'
import { NewSegmentContext } from './new-segment-context.ts'
import { SegmentEditor } from './segment-editor.tsx'

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
