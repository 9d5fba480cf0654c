import { describe, expect, it } from 'vitest'
import { readRevert } from './reverts.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

describe('readRevert', () => {
  it.each([
    [`Revert "ABC-5 Add login"\n\nThis reverts commit ${sha}.\n\nABC-9: it broke.`, true, [sha]],
    [`ABC-9: Revert "ABC-5 Add login" (#7)\n\nThis reverts commit 6dcb09b5.`, true, ['6dcb09b5']],
    [`Revert “ABC-5 Add login”\n\nThis commit reverts ${sha}`, true, [sha]],
    [`Reapply "ABC-5 Add login"\n\nThis reverts commit ${sha}.`, false, []],
  ])('reads what %j quotes', (message, inSubject, shas) => {
    const quoted = 'ABC-5 Add login'
    expect(readRevert(message)).toEqual({ quoted, inSubject, inBody: false, shas })
  })

  it.each([
    `Back out the login\n\nThis reverts commit ${sha}.`,
    `Back out the login\n\n(Reverts commit ${sha}, reversing changes made to ${'a'.repeat(40)})`,
    `Revert ${sha}`,
  ])('knows from the hash alone what %j takes back', (message) => {
    expect(readRevert(message)).toMatchObject({ inSubject: true, inBody: true, shas: [sha] })
  })

  it('takes nothing back because a message speaks of reverts', () => {
    const said = ['ABC-5 Revert the dark mode', 'Say "This reverts commit x"', 'Revert to 8 nodes']
    expect(said.map((text) => readRevert(text).inSubject)).toEqual([false, false, false])
  })
})
