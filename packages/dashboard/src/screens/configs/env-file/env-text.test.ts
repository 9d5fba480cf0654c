import { parseEnvText, toEnvName } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findKeyOf } from './env-name.ts'
import { renderEnvText } from './render-env-text.ts'

const read = (text: string) =>
  parseEnvText(text).assignments.map(({ name, value }) => [name, value] as const)

describe('an env file', () => {
  it.each([
    ['plain', 'A=b', 'b'],
    ['exported', 'export A=b', 'b'],
    ['with blanks around it', '  A = b  ', 'b'],
    ['with a comment', 'A=b # c', 'b'],
    ['with a number sign in quotes', 'A="b # c" # d', 'b # c'],
    ['in single quotes, where nothing is escaped', String.raw`A='b\nc'`, String.raw`b\nc`],
    ['in double quotes, where line ends are', String.raw`A="b\nc"`, 'b\nc'],
    ['over several lines', 'A="-----BEGIN\nkey\nEND-----"', '-----BEGIN\nkey\nEND-----'],
    ['in backticks', 'A=`it\'s "b"`', 'it\'s "b"'],
    ['without a closing quote', `A="b`, '"b'],
    ['empty', 'A=', ''],
    ['from Windows', 'A=b\r\n', 'b'],
    ['with a byte order mark', '\uFEFFA=b', 'b'],
    ['with an equals sign', 'A=b=c', 'b=c'],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual([['A', value]])
  })

  it('takes the last of a name, and tells lines that are no assignment', () => {
    const { assignments, unread, repeated } = parseEnvText(
      'A=1\nwhat is this\n# a comment\n\nA=2\n',
    )
    expect(assignments).toEqual([{ name: 'A', value: '2', line: 5, refers: false }])
    expect(unread).toEqual([2])
    expect(repeated).toEqual(['A'])
  })

  it('tells values that name other variables, which are not looked up', () => {
    const { assignments } = parseEnvText("A=$HOME/x\nB='$HOME'\nC=$(id)\nD=cost$")
    expect(assignments.map(({ refers }) => refers)).toEqual([true, false, true, false])
  })
})

describe('an export', () => {
  it('is read back as the same values, or says what it leaves out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (value) => {
        const { text, leftOut } = renderEnvText([
          { key: 'before', value: 'x' },
          { key: 'key', value },
          { key: 'after', value: `'"\``.slice(0, 1) },
        ])
        const values = new Map(read(text))
        expect(values.get('BEFORE')).toBe('x')
        expect(values.get('AFTER')).toBe("'")
        expect(values.get('KEY')).toBe(leftOut.includes('key') ? undefined : value)
      }),
    )
  })

  it('has the variable that a key declares, and a pasted one finds its key', () => {
    const key = { key: 'conn', variable: 'ConnectionStrings__Default' }
    expect(renderEnvText([{ ...key, value: 'x' }]).text).toBe('ConnectionStrings__Default=x\n')
    expect(findKeyOf([{ key: 'other' }, key], 'ConnectionStrings__Default')).toBe(key)
  })

  it('leaves out keys that become the same variable', () => {
    expect(
      renderEnvText([
        { key: 'apiUrl', value: 'a' },
        { key: 'api.url', value: 'b' },
      ]),
    ).toEqual({ text: '', leftOut: ['apiUrl', 'api.url'] })
  })
})

describe('the name of a variable', () => {
  it('is that of the command line', () => {
    expect(['apiUrl', 'HTTPPort', 'stripe.secret-key'].map(toEnvName)).toEqual([
      'API_URL',
      'HTTP_PORT',
      'STRIPE_SECRET_KEY',
    ])
  })

  it('finds its key by name, by variable, and by the prefix of a framework', () => {
    const keys = [{ key: 'apiUrl' }, { key: 'API' }]
    expect(findKeyOf(keys, 'apiUrl')?.key).toBe('apiUrl')
    expect(findKeyOf(keys, 'NEXT_PUBLIC_API_URL')?.key).toBe('apiUrl')
    expect(findKeyOf(keys, 'NOBODY')).toBeUndefined()
  })
})
