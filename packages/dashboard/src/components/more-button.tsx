import { useState } from 'react'
import { showMore, type PagedList } from '../api/show-more.ts'
import { Button } from './button.tsx'

interface MoreButtonProps {
  readonly list: PagedList & { readonly hasNextPage: boolean }
}

/** Shows the button at the end of a list that has more pages. With the last of them it becomes a word that says so, and keeps the keyboard there. */
export function MoreButton({ list }: MoreButtonProps) {
  const [wasPressed, setPressed] = useState(false)
  if (!list.hasNextPage) {
    if (!wasPressed) return null
    return (
      <p
        ref={takeLostFocus}
        tabIndex={-1}
        className="border-t border-line p-3 text-center text-muted"
      >
        That is all.
      </p>
    )
  }
  return (
    <div className="flex justify-center border-t border-line p-2">
      <Button
        variant="quiet"
        pending={list.isFetchingNextPage}
        onClick={() => {
          setPressed(true)
          void showMore(list)
        }}
      >
        Show more
      </Button>
    </div>
  )
}

/** The button was pressed and is gone. Without this, the keyboard would begin at the top of the page again. */
function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
