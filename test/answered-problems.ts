import { mkdirSync, readdirSync, readFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemTypeBase } from '@signalbox/contract'

/** Where the check collects the codes that tests were answered with. Unset outside of the check. */
const folder = process.env['CHECK_ANSWERED_PROBLEMS']

const documentType = new RegExp(
  `"type":\\s*"${problemTypeBase.replaceAll('.', '\\.')}([a-z_]+)"`,
  'g',
)

/** Notes the codes of the problem documents in `body`, once per process. */
export function createProblemNotes(): (body: unknown) => void {
  const noted = new Set<string>()
  return (body) => {
    if (folder === undefined || body === undefined) return
    const text = Buffer.isBuffer(body) ? body.toString('latin1') : body
    if (typeof text !== 'string') return
    for (const [, code = ''] of text.matchAll(documentType)) {
      if (noted.has(code)) continue
      noted.add(code)
      mkdirSync(folder, { recursive: true })
      appendFileSync(join(folder, `${process.pid}.txt`), `${code}\n`)
    }
  }
}

/** The codes that tests were answered with in this run of the check; `undefined` outside of one. */
export function readAnsweredProblems(): ReadonlySet<string> | undefined {
  if (folder === undefined) return undefined
  mkdirSync(folder, { recursive: true })
  return new Set(
    readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  )
}
