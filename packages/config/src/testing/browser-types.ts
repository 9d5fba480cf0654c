import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compilers, compileTypes, errorsElsewhere, forBrowsers } from './compile-types.ts'

/** Describes the types of a package whose code runs in browsers. */
export interface BrowserTypes {
  /** Holds `registered.test-d.tsx` and `unregistered.test-d.tsx`. */
  readonly directory: string
  /** Shows what the types refuse, as a program. */
  readonly wrong: string
  /** Maps each sentence that explains a rejection to how often the compiler prints it. */
  readonly explained: Readonly<Record<string, number>>
}

/** Tests with each compiler that the types are what their files say, and that they explain what they refuse. */
export function testBrowserTypes({ directory, wrong, explained }: BrowserTypes): void {
  const place = mkdtempSync(join(tmpdir(), 'signalbox-types-'))
  afterAll(() => rmSync(place, { recursive: true, force: true }))
  const declared = (name: string) => join(directory, `${name}.test-d.tsx`)

  describe.each(compilers)('the types, read by %s', (compiler) => {
    const program = join(place, 'wrong.tsx')
    const compile = (...files: readonly string[]) =>
      compileTypes(compiler, place, { ...forBrowsers, files })
    let printed: string

    // Most of what a compiler does is to read the libraries, which these share.
    beforeAll(() => {
      writeFileSync(program, wrong)
      printed = compile(declared('unregistered'), program)
    }, 120_000)

    it('are what registered.test-d.tsx says', () => {
      expect(compile(declared('registered'))).toBe('')
    }, 120_000)

    it('are what unregistered.test-d.tsx says', () => {
      expect(errorsElsewhere(printed, program)).toEqual([])
    })

    it('tell the developer why it has no place in a browser', () => {
      const counted = Object.keys(explained).map((sentence) => [
        sentence,
        printed.split(sentence).length - 1,
      ])
      expect(Object.fromEntries(counted)).toEqual(explained)
    })
  })
}
