import { Button } from './button.tsx'

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** At the end of a list that has more pages. */
export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null
  return (
    <div className="flex justify-center border-t border-line p-2">
      <Button
        look="quiet"
        pending={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        Show more
      </Button>
    </div>
  )
}
