import { describe, expect, it } from 'vitest'
import { describeNotes, listNotes, readTags } from './describe-notes.ts'

const now = new Date('2026-11-25T12:00:00Z')

describe('the notes about a key', () => {
  it('are said in words, and nothing is said of those that are empty', () => {
    const notes = { owner: 'Growth', tags: ['a', 'b'], expires: '2026-11-24', killSwitch: true }
    expect(describeNotes(notes, now)).toEqual([
      { name: 'Owner', text: 'Growth' },
      { name: 'Tags', text: 'a, b' },
      {
        name: 'End date',
        text: '2026-11-24 (overdue): remove the flag from your code',
        isBad: true,
      },
      { name: 'Kill switch', text: 'One press turns it off for everyone in any environment' },
    ])
    expect(describeNotes({ expires: '2026-11-25' }, now)).toEqual([
      { name: 'End date', text: '2026-11-25' },
    ])
    expect(describeNotes({ owner: '', tags: [], expires: '', killSwitch: false }, now)).toEqual([])
  })

  it('are typed with commas, and listed once each in the order of the alphabet', () => {
    expect(readTags(' b, a ,,')).toEqual(['b', 'a'])
    const keys = [{ owner: 'Web', tags: ['b', 'a'] }, { owner: 'Api', tags: ['a'] }, {}]
    expect(listNotes(keys)).toEqual({ owners: ['Api', 'Web'], tags: ['a', 'b'] })
  })
})
