/** Describes what of a list of pages it takes to show the next one. */
export interface PagedList {
  readonly isFetching: boolean
  readonly isFetchingNextPage: boolean
  readonly refetch: (options: { readonly cancelRefetch: boolean }) => Promise<unknown>
  readonly fetchNextPage: () => Promise<unknown>
}

/**
 * Reads the next page of a list. Where the pages before it are just read again that is waited for: asking for the next one
 * would cut it short, and what changed on them would be shown to nobody.
 */
export async function showMore(list: PagedList): Promise<void> {
  if (list.isFetching && !list.isFetchingNextPage) await list.refetch({ cancelRefetch: false })
  await list.fetchNextPage()
}
