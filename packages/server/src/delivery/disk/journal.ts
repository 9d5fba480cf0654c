import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isOlderMark, parseMark, type Mark } from '../../replica/mark.ts'
import { newestMark } from '../../replica/newest-mark.ts'
import type { Signed } from '../../replica/signed.ts'
import {
  flushDirectory,
  readWholeFile,
  removeWhole,
  writeWholeFile,
} from '../../store/whole-file.ts'
import type { Log } from '../../telemetry/log.ts'
import {
  journalFormat,
  nothingRemoved,
  splitChange,
  type JournalPage,
  type ReplicaChange,
} from './journal-page.ts'

/**
 * Keeps what a node without a database is about to serve, until the files of the disk cache have it: a file for each change, however
 * many snapshots it is about, so that a change costs one flush of the disk and not one for each snapshot.
 */
export interface Journal {
  /** Returns the changes that the files may lack, the oldest first, and prepares the directory. */
  load(): Promise<readonly ReplicaChange[]>
  /** Writes a change. It is on the disk when the promise resolves. */
  append(change: ReplicaChange): Promise<void>
  /** Returns the number of the last page whose change was appended completely. */
  lastPage(): number
  /** Counts the pages that are needed. */
  size(): number
  /** Removes the pages up to a number: the files have what they say. */
  removeUpTo(page: number): Promise<void>
  /** Returns whether the newest page is of this mark's content, or of a later mark's. */
  reaches(mark: Signed): Promise<boolean>
}

/** Describes where the journal is. */
export interface JournalDeps {
  /** Names the directory of the disk cache. */
  readonly root: string
  readonly log: Log
}

const directoryName = 'journal'

interface PageName {
  readonly name: string
  readonly page: number
  readonly mark: Pick<Mark, 'epoch' | 'counter' | 'index'>
}

/** Creates the journal without touching the disk. */
export function createJournal({ root, log }: JournalDeps): Journal {
  const directory = join(root, directoryName)
  /** Holds the oldest page that is needed. Each page says it, because the loss of power can bring a removed page back. */
  let from = 1
  let newest = 0
  let last = 0
  let lastMark: Signed | undefined
  const write = async (page: ReplicaChange, isLast = true): Promise<number> => {
    const number = (newest += 1)
    const text = journalFormat.render({ ...page, from })
    const mark = isLast ? parseMark(page.mark.text) : nothingYet
    if (mark === undefined) throw new Error('A mark that was believed cannot be read')
    await writeWholeFile(root, `${directoryName}/${pageName(number, mark)}`, text)
    return number
  }
  return {
    async load() {
      // Where that fails, writing fails too and is reported; what is there can be read.
      await makeDirectory(root).catch(() => undefined)
      const changes: ReplicaChange[] = []
      const names = await listPages(directory)
      newest = names[0]?.page ?? 0
      for (const named of names) {
        if (named.page < from) break
        const page = await readPage(join(directory, named.name), log)
        if (page === undefined) continue
        if (changes.length === 0) from = page.from
        if (named.page >= from) changes.unshift(page)
      }
      last = newest
      lastMark = newestMark(changes.map(({ mark }) => mark))
      return changes
    },
    async append(change) {
      const parts = splitChange(change)
      for (const part of parts.slice(0, -1)) await write(part, false)
      for (const part of parts.slice(-1)) last = Math.max(last, await write(part))
      lastMark = change.mark
    },
    lastPage: () => last,
    size: () => Math.max(0, last - from + 1),
    async removeUpTo(page) {
      if (page < from || lastMark === undefined) return
      const before = from
      from = page + 1
      try {
        // First says that they are not needed, so that none of them that comes back alone hides a newer one.
        await write({ mark: lastMark, records: [], removed: nothingRemoved })
      } catch (error) {
        from = before
        throw error
      }
      const names = await listPages(directory)
      for (const each of names.toReversed())
        if (each.page <= page) await removeWhole(join(directory, each.name))
    },
    reaches: async (mark) => reach(await listPages(directory), mark),
  }
}

async function makeDirectory(root: string): Promise<void> {
  await mkdir(join(root, directoryName), { recursive: true, mode: 0o700 })
  await flushDirectory(root)
}

async function readPage(path: string, log: Log): Promise<JournalPage | undefined> {
  const file = await readWholeFile(path)
  try {
    if (file.outcome === 'whole') return journalFormat.parse(file.text)
  } catch {
    // Reported below.
  }
  if (file.outcome !== 'absent') log.warn('Skipped a damaged file in the disk cache', { path })
  return undefined
}

/** Returns whether the newest page has the content of a mark, or that of a later one. */
function reach(pages: readonly PageName[], { text }: Signed): boolean {
  const mark = parseMark(text)
  if (mark === undefined) return false
  const newest = pages
    .map((page) => page.mark)
    .reduce((one, other) => (isOlderMark(one, other) ? other : one), nothingYet)
  return newest.index === mark.index || !isOlderMark(newest, mark)
}

/** Stands in the name of a page that others of the same change follow. */
const nothingYet: PageName['mark'] = { epoch: 0, counter: 0, index: '-'.repeat(43) }

const pagePattern = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})\.json$/

/** Names a page by its number and its mark, so that another process sees in the names alone how far the journal is. */
function pageName(page: number, { epoch, counter, index }: PageName['mark']): string {
  return `${page}.${epoch}.${counter}.${index}.json`
}

/** Lists the pages, the newest first. */
async function listPages(directory: string): Promise<PageName[]> {
  const pages = (await readdir(directory).catch(() => [])).flatMap((name): PageName[] => {
    const [, page, epoch, counter, index] = pagePattern.exec(name) ?? []
    if (index === undefined) return []
    const mark = { epoch: Number(epoch), counter: Number(counter), index }
    return [{ name, page: Number(page), mark }]
  })
  return pages.sort((one, other) => other.page - one.page)
}
