import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './architecture/source-files.ts'

const page = readFileSync(join(root, 'docs/advisories.md'), 'utf8')

/** Returns the faults of each row's last cell: a missing file, or a title that no test in it has. */
function missingTests(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Advisory'))
    .flatMap((line) => {
      const cell = line.split(' | ').at(-1) ?? ''
      if (/^not here: \S/.test(cell)) return []
      const [, path, words] = /^`([^`]+)` \*([^*]+)\* \|$/.exec(cell) ?? []
      if (path === undefined || words === undefined) return [`names no test: ${line}`]
      if (!existsSync(join(root, path))) return [`there is no ${path}`]
      const titles = readFileSync(join(root, path), 'utf8')
        .split('\n')
        .filter((one) => /\b(?:it|describe)\b.*['`"]|^\s*\[?['`"]/.test(one))
      return titles.some((title) => title.includes(words)) ? [] : [`${path} has no test "${words}"`]
    })
}

describe('advisories of others', () => {
  it('each have a test that is there, or a reason why not', () => {
    expect(page.match(/^\| /gm)?.length).toBeGreaterThan(50)
    expect(missingTests(page)).toEqual([])
  })

  it('control: a file and a title that are gone are found, and a row without either', () => {
    expect(
      missingTests(
        [
          '| CVE-1 | class | `test/gone.test.ts` *title* |',
          '| CVE-2 | class | `test/check.test.ts` *of nothing* |',
          '| CVE-3 | class | later |',
        ].join('\n'),
      ),
    ).toEqual([
      'there is no test/gone.test.ts',
      'test/check.test.ts has no test "of nothing"',
      'names no test: | CVE-3 | class | later |',
    ])
  })
})
