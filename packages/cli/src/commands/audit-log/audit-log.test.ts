import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const run = (...args: string[]) =>
  place.run(['audit-log', 'export', ...args], { env: server.asOperator })
const path = (name: string) => join(place.directory, name)
const sequencesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { sequence: number }).sequence)

it('downloads the events to a file of its owner, and continues it with those that are new', async () => {
  const first = await run('--output', 'audit.jsonl')
  expect(first).toMatchObject({ code: 0 })
  expect(statSync(path('audit.jsonl')).mode & 0o777).toBe(0o600)
  const before = readFileSync(path('audit.jsonl'), 'utf8')
  const count = sequencesOf(before).length
  expect(first.stdout).toBe(`✓ audit.jsonl: ${count} new events\n`)
  // A line that was cut off, as by a full disk, comes again.
  writeFileSync(path('audit.jsonl'), `${before}{"sequence":99`)
  const second = await run('--output', 'audit.jsonl', '--json')
  expect(JSON.parse(second.stdout)).toMatchObject({ afterSequence: count })
  const after = readFileSync(path('audit.jsonl'), 'utf8')
  expect(after.startsWith(before)).toBe(true)
  expect(sequencesOf(after)).toEqual(Array.from(sequencesOf(after), (_, index) => index + 1))
  expect(sequencesOf(after).length).toBeGreaterThan(count)
})

it('prints them, all or after one', async () => {
  const all = sequencesOf((await run()).stdout)
  expect(all[0]).toBe(1)
  expect(sequencesOf((await run('--after', '2')).stdout)[0]).toBe(3)
  const { events } = JSON.parse((await run('--json')).stdout) as { events: object[] }
  expect(events.length).toBeGreaterThan(all.length)
})

it('leaves a file of something else as it is, and says who may download', async () => {
  for (const text of ['notes', '{"sequence":"1"}\n']) {
    writeFileSync(path('notes.txt'), text)
    const refused = await run('--output', 'notes.txt')
    expect(refused).toMatchObject({ code: 5, stdout: '' })
    expect(refused.stderr).toContain('holds no audit log')
    expect(readFileSync(path('notes.txt'), 'utf8')).toBe(text)
  }
  writeFileSync(path('audit.jsonl'), '{"sequence":2}\n')
  expect((await run('--output', 'audit.jsonl', '--after', '5')).stderr).toContain('event 2')
  expect(await run('--after', 'x')).toMatchObject({ code: 2 })
  // A server key is no admin.
  expect(await place.run(['audit-log', 'export'])).toMatchObject({ code: 4, stdout: '' })
})
