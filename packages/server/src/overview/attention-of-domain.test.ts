import { expect, it } from 'vitest'
import { attentionOfDomain } from './attention-of-domain.ts'

const missingSince = new Date('2026-11-20T12:00:00Z')
const detailAt = (now: string, isOver = false) =>
  attentionOfDomain({ domain: 'acme.com', missingSince, isOver }, new Date(now)).detail

it.each([
  ['2026-11-20T12:00:00Z', 'within 7 days.'],
  ['2026-11-23T13:00:00Z', 'within 4 days.'],
  ['2026-11-26T11:00:00Z', 'within 2 days.'],
  ['2026-11-27T11:59:00Z', 'within a day.'],
  // The daily check has not ended the proof yet.
  ['2026-11-27T13:00:00Z', 'within a day.'],
])('says at %s how long the proof of a domain lasts without its record: %s', (now, words) => {
  expect(detailAt(now)).toContain(`Create it again ${words}`)
})

it('asks for a check once the proof has ended', () => {
  expect(detailAt('2026-11-28T12:00:00Z', true)).toMatch(/^Nobody .* check the domain\.$/)
})
