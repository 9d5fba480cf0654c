import type { Session } from '../session.ts'
import { printable } from '../terminal/printable.ts'
import { renderTable } from '../terminal/table.ts'
import type { CommitCheck, UploadedDefinition } from './upload-definition.ts'

type CheckedEnvironment = CommitCheck['schemas'][number]['environments'][number]

/** Prints what each environment lacks for a commit, the page of its check, and where the result stands at the code host. */
export function printUploaded(
  { output }: Session,
  { check, schema, page }: UploadedDefinition,
): void {
  const { sha, repository, pullRequest } = check
  const where = pullRequest === null ? '' : `, pull request ${pullRequest}`
  output.result(`  ${printable(repository)} ${sha.slice(0, 7)}${where}, schema ${schema}`)
  const environments = check.schemas
    .filter(({ name }) => name === schema)
    .flatMap((one) => one.environments)
  output.data(
    renderTable(
      environments.flatMap((one) => rowsOf(one, output)),
      '  ',
    ),
  )
  output.result(`  ${page}`)
  const { state, detail, nextStep } = check.report
  if (state !== 'none' && state !== 'given_up') return
  for (const line of [detail, nextStep]) if (line !== null) output.note(`  ${printable(line)}`)
}

function rowsOf(
  { environment, production, missing, invalid, breaking }: CheckedEnvironment,
  { styles, limit }: Session['output'],
): string[][] {
  const name = production ? styles.bold(printable(environment)) : printable(environment)
  const linesOf = (details: CheckedEnvironment['invalid']) =>
    limit.lines(details.map(({ key, detail }) => printable(`${key}: ${detail}`)))
  const rows = [
    ...(missing.length === 0
      ? []
      : [[styles.red('✗'), `no value yet for ${limit.join(missing.map(printable))}`]]),
    ...linesOf(invalid).map((line) => [styles.red('✗'), line]),
    ...linesOf(breaking).map((line) => [styles.yellow('!'), line]),
  ]
  if (rows.length === 0) return [[styles.green('✓'), name, styles.dim('ready')]]
  return rows.map(([mark = '', line = ''], index) => [mark, index === 0 ? name : '', line])
}
