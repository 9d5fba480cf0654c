import { describe, expect, it } from 'vitest'
import { reportLeaks, type Search } from './report-leaks.ts'

const search: Search = {
  secrets: {
    names: ['paymentToken'],
    values: { paymentToken: 'pay_0123456789' },
    missing: undefined,
  },
  files: 3,
  tooPlain: [],
  hasValues: true,
  leaks: [],
}
const gone = {
  ...search,
  secrets: { ...search.secrets, missing: 'the server could not be reached' },
}

/** Returns what the build says, line by line. */
function report(found: Search, leakCheck?: 'error' | 'warn'): string[] {
  const lines: string[] = []
  const log = {
    info: (message: string) => void lines.push(`info ${message}`),
    warn: (message: string) => void lines.push(`warn ${message}`),
    error(message: string): never {
      throw new Error(message)
    },
  }
  reportLeaks(log, found, leakCheck)
  return lines
}

describe('a search for secrets in a build', () => {
  it('is a line where values were looked for, and a warning where there was none', () => {
    expect(report(search)).toEqual(['info Searched 3 files for 1 names and 1 values of secrets.'])
    const none = { ...search, secrets: { ...search.secrets, values: {} }, hasValues: false }
    expect(report(none)).toEqual([
      expect.stringMatching(/^warn Searched 3 files for 1 names and 0 values .* SIGNALBOX_TOKEN/),
    ])
  })

  it('warns of a server that is gone, and fails where the option says error', () => {
    expect(report(gone)).toContainEqual(
      'warn The search did not include the secrets on the server: the server could not be reached.',
    )
    expect(report(gone, 'warn')).toHaveLength(2)
    expect(() => report(gone, 'error')).toThrow('did not include the secrets on the server')
  })

  it('fails for a leak first', () => {
    const leak = {
      kind: 'value',
      names: ['paymentToken'],
      path: 'a.js',
      line: 1,
      column: 2,
      form: 'plain',
    } as const
    expect(() => report({ ...gone, leaks: [leak] }, 'error')).toThrow('The build contains secrets')
    expect(() => report({ ...search, leaks: [leak] })).toThrow('The build contains secrets')
    expect(report({ ...search, leaks: [leak] }, 'warn')).toHaveLength(2)
  })
})
