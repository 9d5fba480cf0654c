import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOverSql, isPaused } from './stored-pause.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

const now = new Date('2026-11-28T12:00:00Z')
const hourMs = 3_600_000

it.each([
  ['nothing stored', null, false],
  ['a moment that has passed', -hourMs, false],
  ['a pause that goes on', 1_000, true],
  ['the longest pause', hourMs, true],
  ['a pause by a clock that was a day ahead', 24 * hourMs, false],
  ['a pause by a clock that was ten years ahead', 10 * 365 * 24 * hourMs, false],
])('%s is judged alike by the program and by the database', async (_, ahead, paused) => {
  const until = ahead === null ? null : new Date(now.getTime() + ahead)
  expect(isPaused(until, now)).toBe(paused)
  const [row] = await test.asOwner<{ over: boolean }>(
    `select ${isOverSql('until', '$2::timestamptz')} as over from (select $1::timestamptz as until) s`,
    [until, now],
  )
  expect(row?.over).toBe(!paused)
})
