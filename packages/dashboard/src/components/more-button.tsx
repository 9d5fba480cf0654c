import { useState } from 'react'
import { showMore, type PagedList } from '../api/show-more.ts'
import { Button } from './button.tsx'

interface MoreButtonProps {
  readonly list: PagedList & { readonly hasNextPage: boolean }
}

/**
 * Renders the button at the end of a list with more pages. After the last page it becomes a text that says so, and
 * keeps the focus there.
 */
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

/** Takes the focus of the button that was pressed and removed. Otherwise it would go to the top of the page. */
function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
