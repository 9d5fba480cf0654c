import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'

/**
 * Keeps the state that an edit began with. `latest` is the saved state as a text; a different text than at the
 * beginning means that somebody else has saved since.
 */
export function useBase(latest: string) {
  const [base, setBase] = useState(latest)
  return {
    isOvertaken: latest !== base,
    /** Bases the edit on what is saved now. */
    rebase: () => setBase(latest),
  }
}

/** Holds the edited value, and whether somebody else has saved since. `toText` returns everything that the edit changes, as one text. */
export function useEdited<T>(saved: T, toText: (value: T) => string) {
  const [edited, setEdited] = useState(saved)
  const { isOvertaken, rebase } = useBase(toText(saved))
  return {
    edited,
    setEdited,
    isOvertaken,
    /** Bases the edit on what is saved now: on all of it, or with the own edits on top. */
    choose: (next: T) => {
      rebase()
      setEdited(next)
    },
  }
}

interface OvertakenProps {
  /** Says who saved what. */
  readonly children: ReactNode
  readonly onTakeTheirs: () => void
  /** Keeps the edits. `undefined`: there are none. */
  readonly onKeepMine: (() => void) | undefined
}

/** Says that somebody else has saved the same thing, and lets the person choose. */
export function Overtaken({ children, onTakeTheirs, onKeepMine }: OvertakenProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-md bg-bad-ground px-3 py-2 text-bad"
    >
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{children}</span>
      <Button onClick={onTakeTheirs}>Take theirs</Button>
      {onKeepMine !== undefined && <Button onClick={onKeepMine}>Keep mine</Button>}
    </div>
  )
}
