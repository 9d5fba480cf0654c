import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { problemTypeBase } from '@signalbox/contract'

/** Names the folder in which the check collects the codes of answers, a file for each test file. Unset outside of the check. */
const folder = process.env['CHECK_ANSWERED_PROBLEMS']
const root = join(import.meta.dirname, '..')

const documentType = new RegExp(
  `"type":\\s*"${problemTypeBase.replaceAll('.', '\\.')}([a-z_]+)"`,
  'g',
)

/** Notes the codes of problem documents for the file of tests that runs. */
export interface ProblemNotes {
  /** Begins with another file, whose name is not known yet. */
  readonly begin: () => void
  /** Names the file. What was noted of it when it ran before is forgotten. */
  readonly name: (testFile: string) => void
  /** Notes the codes in a body, once for each file. */
  readonly note: (body: unknown) => void
}

/** Notes nothing outside of a check. */
export function createProblemNotes(): ProblemNotes {
  let notes: string | undefined
  const noted = new Set<string>()
  return {
    begin() {
      notes = undefined
      noted.clear()
    },
    name(testFile) {
      if (folder === undefined || notes !== undefined) return
      mkdirSync(folder, { recursive: true })
      notes = join(folder, `${relative(root, testFile).replaceAll(/[/\\]/g, '--')}.txt`)
      writeFileSync(notes, [...noted, ''].join('\n'))
    },
    note(body) {
      const text = Buffer.isBuffer(body) ? body.toString('latin1') : body
      if (folder === undefined || typeof text !== 'string') return
      for (const [, code = ''] of text.matchAll(documentType)) {
        if (!noted.has(code) && notes !== undefined) appendFileSync(notes, `${code}\n`)
        noted.add(code)
      }
    },
  }
}

/**
 * Reads the codes that tests were answered with when they ran last, those that the check left out because they were green
 * included; `undefined` outside of a check.
 */
export function readAnsweredProblems(): ReadonlySet<string> | undefined {
  if (folder === undefined) return undefined
  mkdirSync(folder, { recursive: true })
  // Of a file of tests that is gone nothing counts.
  const names = readdirSync(folder).filter((name) =>
    existsSync(join(root, name.replace(/\.txt$/, '').replaceAll('--', '/'))),
  )
  return new Set(names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')))
}
