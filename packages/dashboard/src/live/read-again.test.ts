import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { readAgain } from './read-again.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** Something that is shown, and read from a server that answers when it is told to. */
function show(name = 'list') {
  const client = new QueryClient()
  const reads: { answer: (value: string) => void; fail: () => void; signal: AbortSignal }[] = []
  const observer = new QueryObserver<string>(client, {
    queryKey: [name],
    retry: false,
    queryFn: ({ signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      reads.push({ answer: resolve, fail: () => reject(new Error('away')), signal })
      return promise
    },
  })
  closings.push(
    observer.subscribe(() => undefined),
    () => client.clear(),
  )
  return { client, reads, shown: () => observer.getCurrentResult().data }
}

const all = () => true

it('reads what is shown', async () => {
  const { client, reads, shown } = show()
  reads[0]?.answer('old')
  await expect.poll(shown).toBe('old')
  readAgain(client, all)
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.answer('new')
  await expect.poll(shown).toBe('new')
})

/** Tells of changes while something is read, and answers how many more reads that took until the latest is shown. */
async function countReads({ client, reads, shown }: ReturnType<typeof show>): Promise<number> {
  const before = reads.length
  for (let hint = 0; hint < 5; hint += 1) readAgain(client, all)
  reads.at(-1)?.answer('old')
  await expect.poll(() => reads.length).toBe(before + 1)
  expect(shown()).toBe('old')
  reads.at(-1)?.answer('new')
  await expect.poll(shown).toBe('new')
  await expect.poll(() => client.isFetching()).toBe(0)
  return reads.length - before
}

it('reads once more what was being read for the first time', async () => {
  expect(await countReads(show())).toBe(1)
})

it('reads once more what was being read again, and cuts nothing', async () => {
  const seen = show()
  seen.reads[0]?.answer('older')
  await expect.poll(seen.shown).toBe('older')
  readAgain(seen.client, all)
  await expect.poll(() => seen.reads.length).toBe(2)
  expect(await countReads(seen)).toBe(1)
  expect(seen.reads.map(({ signal }) => signal.aborted)).not.toContain(true)
})

it('reads once more what failed meanwhile', async () => {
  const { client, reads, shown } = show()
  readAgain(client, all)
  reads[0]?.fail()
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.answer('new')
  await expect.poll(shown).toBe('new')
})

it('leaves alone what is not meant', async () => {
  const { client, reads, shown } = show()
  readAgain(client, () => false)
  reads[0]?.answer('old')
  await expect.poll(shown).toBe('old')
  expect(reads).toHaveLength(1)
})

it('control: what is invalidated while it is read for the first time stays as it was', async () => {
  const { client, reads, shown } = show()
  void client.invalidateQueries()
  reads[0]?.answer('old')
  await expect.poll(shown).toBe('old')
  await expect.poll(() => client.isFetching()).toBe(0)
  expect(reads).toHaveLength(1)
})
