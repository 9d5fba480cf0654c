/** Describes the parts of a paged list that are needed to show the next page. */
export interface PagedList {
  readonly isFetching: boolean
  readonly isFetchingNextPage: boolean
  readonly refetch: (options: { readonly cancelRefetch: boolean }) => Promise<unknown>
  readonly fetchNextPage: () => Promise<unknown>
}

/**
 * Reads the next page of a list. While the earlier pages are being read again it waits for them: reading the next
 * page would cancel that, and their changes would not be shown.
 */
export async function showMore(list: PagedList): Promise<void> {
  if (list.isFetching && !list.isFetchingNextPage) await list.refetch({ cancelRefetch: false })
  await list.fetchNextPage()
}
