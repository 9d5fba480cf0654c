import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderMark } from '../../replica/mark.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createJournal } from './journal.ts'
import { nothingRemoved, type ReplicaChange } from './journal-page.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'signalbox-journal-'))
})
afterEach(() => rm(root, { recursive: true }))

async function open() {
  const journal = createJournal({ root, log: silentLog })
  return { journal, changes: await journal.load() }
}

function markOf(counter: number) {
  const text = renderMark({ epoch: 1, counter, index: String(counter).repeat(43), atMs: 1 })
  return { text, signatures: '' }
}

function changeOf(counter: number, contents = [`content ${counter}`]): ReplicaChange {
  const records = contents.map((content) => ({ header: `header ${counter}`, content }))
  return { mark: markOf(counter), records, removed: nothingRemoved }
}

const listContents = (changes: readonly ReplicaChange[]) =>
  changes.flatMap(({ records }) => records.map(({ content }) => content))

describe('the journal', () => {
  it('returns the changes in their order, and none that was removed', async () => {
    const { journal } = await open()
    await journal.append(changeOf(1))
    await journal.append(changeOf(2))
    const removable = journal.lastPage()
    await journal.append(changeOf(3))
    expect(listContents((await open()).changes)).toEqual(['content 1', 'content 2', 'content 3'])
    await journal.removeUpTo(removable)
    const { journal: again, changes } = await open()
    expect(listContents(changes)).toEqual(['content 3'])
    await again.append(changeOf(4))
    expect(listContents((await open()).changes)).toEqual(['content 3', 'content 4'])
  })

  it('ignores a removed page that a loss of power brings back', async () => {
    const { journal } = await open()
    await journal.append(changeOf(1))
    const [name = ''] = await readdir(join(root, 'journal'))
    const beside = join(root, 'beside')
    await cp(join(root, 'journal', name), beside)
    await journal.append(changeOf(2))
    await journal.removeUpTo(journal.lastPage())
    await cp(beside, join(root, 'journal', name))
    expect(listContents((await open()).changes)).toEqual([])
  })

  it('writes a change of many megabytes to several pages, and is as far as its mark only with the last', async () => {
    const { journal } = await open()
    await journal.append(changeOf(1))
    // A third one begins another page.
    const contents = ['a', 'b', 'c'].map((letter) => letter.repeat(4_500_000))
    await journal.append(changeOf(2, contents))
    const pages = (await readdir(join(root, 'journal'))).toSorted()
    expect(pages.map((name) => name.slice(0, 6))).toEqual(['1.1.1.', '2.0.0.', '3.1.2.'])
    expect(await journal.reaches(markOf(2))).toBe(true)
    await rm(join(root, 'journal', pages[2] ?? ''))
    expect(await journal.reaches(markOf(2))).toBe(false)
    expect(listContents((await open()).changes)).toHaveLength(3)
  })
})
