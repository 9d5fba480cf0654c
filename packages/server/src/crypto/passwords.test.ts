import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

describe('hashPassword and verifyPassword', () => {
  it('accept the password and nothing else', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(stored).toMatch(/^scrypt\$15\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await verifyPassword(stored, 'correct horse battery')).toBe(true)
    expect(await verifyPassword(stored, 'correct horse batterY')).toBe(false)
    expect(await verifyPassword(stored, '')).toBe(false)
  })

  it('salt every password', async () => {
    expect(await hashPassword('correct horse battery')).not.toBe(
      await hashPassword('correct horse battery'),
    )
  })

  it('take both spellings of an accented letter for the same', async () => {
    const stored = await hashPassword('caf\u00E9 au lait, please')
    expect(await verifyPassword(stored, 'cafe\u0301 au lait, please')).toBe(true)
  })

  it('refuse an unknown user and a damaged record after the same work', async () => {
    const stored = await hashPassword('correct horse battery')
    // At best: a machine that did something else meanwhile would make the others look short.
    const known = Math.min(
      await elapsed(() => verifyPassword(stored, 'wrong')),
      await elapsed(() => verifyPassword(stored, 'wrong')),
      await elapsed(() => verifyPassword(stored, 'wrong')),
    )
    const unknown = await elapsed(() => verifyPassword(undefined, 'wrong'))
    const damaged = await elapsed(() => verifyPassword('plain', 'wrong'))
    expect(unknown).toBeGreaterThan(known / 4)
    expect(damaged).toBeGreaterThan(known / 4)
  })
})

async function elapsed(work: () => Promise<boolean>): Promise<number> {
  const start = performance.now()
  expect(await work()).toBe(false)
  return performance.now() - start
}
