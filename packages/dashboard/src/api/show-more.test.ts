import { InfiniteQueryObserver, QueryClient, type InfiniteData } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { showMore } from './show-more.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** A list whose pages name when they were read; each read waits until it is let through. */
function showList() {
  const client = new QueryClient()
  const waiting: (() => void)[] = []
  let written = 'old'
  const observer = new InfiniteQueryObserver<
    string,
    Error,
    InfiniteData<string, number>,
    readonly unknown[],
    number
  >(client, {
    queryKey: ['list'],
    initialPageParam: 1,
    getNextPageParam: (_last, pages) => pages.length + 1,
    queryFn: async ({ pageParam, signal }) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      signal.throwIfAborted()
      return `${pageParam} ${written}`
    },
  })
  closings.push(
    observer.subscribe(() => undefined),
    () => client.clear(),
  )
  const pass = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()?.()
  }
  return {
    client,
    pass,
    list: () => observer.getCurrentResult(),
    pages: () => observer.getCurrentResult().data?.pages ?? [],
    write: (value: string) => (written = value),
  }
}

/** A list of one page, which is just read again because it has changed. */
async function showListReadAgain() {
  const shown = showList()
  await shown.pass()
  await expect.poll(shown.pages).toEqual(['1 old'])
  shown.write('new')
  void shown.client.invalidateQueries()
  await expect.poll(() => shown.list().isFetching).toBe(true)
  return shown
}

it('reads the next page after those that are there', async () => {
  const { list, pass, pages } = showList()
  await pass()
  await expect.poll(pages).toEqual(['1 old'])
  void showMore(list())
  await pass()
  await expect.poll(pages).toEqual(['1 old', '2 old'])
})

it('shows what changed before it, where that was being read', async () => {
  const { list, pass, pages } = await showListReadAgain()
  void showMore(list())
  await pass()
  await pass()
  await expect.poll(pages).toEqual(['1 new', '2 new'])
})

it('control: asked for at once, the next page leaves the one before it as it was', async () => {
  const { list, pass, pages } = await showListReadAgain()
  void list().fetchNextPage()
  await pass()
  await pass()
  await expect.poll(pages).toEqual(['1 old', '2 new'])
  await expect.poll(() => list().isFetching).toBe(false)
})
