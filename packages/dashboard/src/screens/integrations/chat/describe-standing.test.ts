import { expect, it } from 'vitest'
import { describeStanding, findObstacle } from './describe-standing.ts'

const open = {
  isArchived: false,
  isMember: false,
  isPrivate: false,
  obstacle: null,
  reach: null,
} as const

it.each([
  [{}, undefined, undefined],
  [{ isMember: true }, 'the bot is in it', undefined],
  [{ isMember: true, reach: 'the bot can post' }, 'the bot can post', undefined],
  [{ isPrivate: true, isMember: true }, 'the bot is in it', undefined],
  [{ isPrivate: true }, 'invite the bot first', 'invite the bot first'],
  [{ obstacle: 'the bot may not post' }, 'the bot may not post', 'the bot may not post'],
  [{ isArchived: true, isMember: true }, 'archived', 'archived'],
])('of a channel with %o says %s beside it, and warns of %s', (of, standing, obstacle) => {
  expect(describeStanding({ ...open, ...of })).toBe(standing)
  expect(findObstacle({ ...open, ...of })).toBe(obstacle)
})
