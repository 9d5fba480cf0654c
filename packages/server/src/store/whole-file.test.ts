import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { putInPlace } from './whole-file.ts'

it('gives a file its name only once it is flushed', async () => {
  const directory = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  const [draft, path] = [join(directory, 'draft'), join(directory, 'whole')]
  const file = await open(draft, 'w')
  const flush = file.sync.bind(file)
  const flushed: boolean[] = []
  file.sync = async () => {
    await flush()
    flushed.push(existsSync(path))
  }
  await file.writeFile('all of it')
  await putInPlace(file, draft, path)
  expect(flushed).toEqual([false])
  expect([await readFile(path, 'utf8'), existsSync(draft)]).toEqual(['all of it', false])
  await file.close()
  await rm(directory, { recursive: true })
})
