import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problems, problemTypeBase } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { root } from './architecture/source-files.ts'

/** The sections of `docs/problems.md`, as code -> text. */
function readSections(markdown: string): Map<string, string> {
  const [, ...sections] = markdown.split(/^### /m)
  return new Map(
    sections.map((section) => {
      const [code = '', ...text] = section.split(/\n(?=## )/)[0]?.split('\n') ?? []
      return [code, text.join('\n')]
    }),
  )
}

/** Returns the sections that `markdown` lacks, or has too many of. */
function faultsOf(markdown: string): string[] {
  const sections = readSections(markdown)
  const missing = Object.entries(problems).flatMap(([code, { status, title }]) => {
    const text = sections.get(code)
    if (text === undefined) return [`${code}: no section`]
    const parts = [`**${status}. ${title}.**`, '**Why.**', '**What to do.**']
    return parts.filter((part) => !text.includes(part)).map((part) => `${code}: lacks ${part}`)
  })
  const unknown = [...sections.keys()].filter((code) => !Object.hasOwn(problems, code))
  return [...missing, ...unknown.map((code) => `${code}: no such code`)]
}

describe('docs/problems.md', () => {
  const markdown = readFileSync(join(root, 'docs/problems.md'), 'utf8')

  it('explains every code, with its status and title, and no other', () => {
    expect(faultsOf(markdown)).toEqual([])
  })

  it('control: a missing, a stale and a surplus section are found', () => {
    const broken = markdown
      .replace('### sealed\n', '### unsealed\n')
      .replace('**404. Not found.**', '**404. Gone.**')
    expect(faultsOf(broken)).toEqual([
      'not_found: lacks **404. Not found.**',
      'sealed: no section',
      'unsealed: no such code',
    ])
  })

  it('is where the type of a problem document leads', () => {
    expect(problemTypeBase).toMatch(/\/docs\/problems#$/)
  })
})
