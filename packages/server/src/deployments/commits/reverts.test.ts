import { describe, expect, it } from 'vitest'
import { readRevert } from './reverts.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

describe('readRevert', () => {
  it('knows a revert as git writes it, and the commit', () => {
    const message = `Revert "ABC-5 Add login"\n\nThis reverts commit ${sha}.\n\nABC-9: nobody could log in.`
    expect(readRevert(message)).toEqual({ inSubject: true, inBody: false, shas: [sha] })
  })

  it('knows a revert whose subject was written by a person', () => {
    const message = `Back out the login\n\nThis reverts commit ${sha}.`
    expect(readRevert(message)).toEqual({ inSubject: true, inBody: true, shas: [sha] })
  })

  it('takes a revert of a revert for what it is: bringing back', () => {
    expect(readRevert('Revert "Revert "ABC-5 Add login""').inSubject).toBe(false)
    expect(readRevert(`Reapply "ABC-5 Add login"\n\nThis reverts commit ${sha}.`)).toEqual({
      inSubject: false,
      inBody: false,
      shas: [],
    })
    expect(readRevert('Revert "Reapply "ABC-5 Add login""').inSubject).toBe(true)
    expect(readRevert('Revert "Revert "Revert "ABC-5"""').inSubject).toBe(true)
  })

  it('takes nothing back because a message speaks of reverts', () => {
    expect(readRevert('ABC-5 Revert "dark mode" button').inSubject).toBe(false)
    expect(readRevert('Say "This reverts commit x"').inSubject).toBe(false)
  })
})
