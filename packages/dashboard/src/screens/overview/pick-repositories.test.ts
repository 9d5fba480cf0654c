import { expect, it } from 'vitest'
import { pickRepositories } from './pick-repositories.ts'

const repository = (name: string, ...days: number[]) => ({
  name,
  targets: days.map((day) => ({ latest: { at: new Date(2026, 10, day).toISOString() } })),
})
const all = [repository('a', 3), repository('b', 1, 9), repository('c', 2), repository('d', 5, 4)]

it('keeps the repositories with the newest deployments, in the order of the list', () => {
  expect(pickRepositories(all, 2).map(({ name }) => name)).toEqual(['b', 'd'])
  expect(pickRepositories(all, 4)).toEqual(all)
})
