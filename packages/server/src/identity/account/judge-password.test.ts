import { describe, expect, it } from 'vitest'
import { commonPasswords } from './frequent-passwords.ts'
import { findPasswordViolation, requireUncommonPassword } from './judge-password.ts'

describe('a new password', () => {
  it.each([
    ['            ', 'spaces'],
    ['\u3000\u00a0 \t        ', 'spaces'],
    ['aaaaaaaaaaaa', 'repeated'],
    ['abcabcabcabcab', 'repeated'],
    ['passwordpassword', 'repeated'],
    ['Correct. Correct. ', 'repeated'],
    ['123456789012', 'common'],
    ['987654321098', 'common'],
    ['112233445566', 'common'],
    ['abcdefghijklm', 'common'],
    ['qwertyuiop12', 'common'],
    ['qwertyuiopas', 'common'],
    ['uiopasdfghjk', 'common'],
    ['lkjhgfdsapoi', 'common'],
    ['7890qwertyui', 'common'],
    ['qwertzuiopasdf', 'common'],
    ['azertyuiopqs', 'common'],
    ['1qaz2wsx3edc', 'common'],
    ['password1234', 'common'],
    ['P@ssw0rd2024!', 'common'],
    ['PASSWORDqwerty', 'common'],
    ['Letmein12345!', 'common'],
    ['signalbox1234', 'common'],
    ['iloveyou 1999', 'common'],
    ['ｐａｓｓｗｏｒｄ１２３４', 'common'],
  ])('that is %j is %s', (password, violation) => {
    expect(findPasswordViolation(password)).toBe(violation)
  })

  it.each([
    'correct horse battery staple',
    'another long passphrase',
    'summer sunshine violet',
    'a password of the tests, long enough',
    'Tr0ub4dor&3xyz',
    'x9$kQ2!mZ7pL',
    'Ein Satz, den niemand kennt',
    'пароль которого нет',
    '\u{1f40e}\u{1f50b} staple 4711 nord',
  ])('that is %j is taken', (password) => {
    expect(findPasswordViolation(password)).toBeUndefined()
  })

  it('is none of those of the list, whatever its case', () => {
    expect(commonPasswords.size).toBeGreaterThan(80)
    for (const password of commonPasswords) {
      expect(findPasswordViolation(password.toUpperCase())).toBe('common')
      expect(password.length).toBeGreaterThanOrEqual(12)
    }
  })

  it('is judged at once, however long it is', () => {
    for (const text of ['1', 'love', 'ab', 'star1']) {
      const password = `${text.repeat(256).slice(0, 254)}~x`
      expect(findPasswordViolation(password)).toBeUndefined()
    }
  })

  it('is refused at its field with the reason, and is not repeated', () => {
    const refuse = () => requireUncommonPassword('password1234', '/newPassword')
    expect(refuse).toThrow(/^\/newPassword: It consists of common passwords/)
    expect(refuse).toThrow(
      expect.toSatisfy(
        (error) =>
          !`${JSON.stringify(error)} ${String(error)}`.includes('password1234') &&
          Reflect.get(Object(error), 'code') === 'validation_failed',
      ),
    )
  })
})
