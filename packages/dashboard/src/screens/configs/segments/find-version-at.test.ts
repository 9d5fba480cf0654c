import { expect, it } from 'vitest'
import { findVersionAt } from './find-version-at.ts'

const third = { createdAt: '2026-11-25T12:00:03.000Z' }
const second = { createdAt: '2026-11-25T12:00:02.000Z' }
const first = { createdAt: '2026-11-25T12:00:01.000Z' }
const versions = [third, second, first]

it('finds what a moment made of a segment, and what was before', () => {
  expect(findVersionAt(versions, second.createdAt)).toEqual({ before: first, after: second })
  expect(findVersionAt(versions, '2026-11-25T12:00:09Z')).toEqual({ before: second, after: third })
  expect(findVersionAt(versions, first.createdAt)).toEqual({ before: undefined, after: first })
  // Older than what is loaded.
  expect(findVersionAt(versions, '2026-11-25T12:00:00Z')).toEqual({})
})
