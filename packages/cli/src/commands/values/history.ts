import { defineCommand, type FlagValues } from '../../action.ts'
import type { ConfigVersion } from '../../api/operations.ts'
import { targetFlags } from '../../cli-context.ts'
import { countChanges } from '../../changes/render-changes.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'

const historyFlags = {
  ...targetFlags,
  limit: {
    kind: 'parsed',
    parse: parseCount,
    default: '20',
    brief: 'Number of versions, newest first',
    placeholder: 'n',
  },
} as const

type HistoryFlags = FlagValues<typeof historyFlags>

async function history(session: Session, flags: HistoryFlags): Promise<void> {
  const { api, organization, schema, environment } = await openSchemaTarget(session, flags.env)
  const versions = await session.progress('Reading the history', () =>
    api.versions(organization.id, schema.id, environment.id, flags.limit),
  )
  const { output } = session
  output.document({ environment: environment.name, versions })
  output.data(
    versions.length === 0
      ? `${environment.name} has no history yet.`
      : renderTable(versions.map((version) => rowOf(version, session))),
  )
}

function rowOf(
  { version, createdAt, author, kind, changes, comment }: ConfigVersion,
  session: Session,
): string[] {
  const { styles } = session.output
  const names = changes.map(({ key }) => key)
  const keyList = names.length > 4 ? `${names.slice(0, 4).join(' ')} …` : names.join(' ')
  return [
    styles.bold(`v${version}`),
    `${createdAt.slice(0, 16).replace('T', ' ')}Z`,
    printable(author.name),
    kind === 'write' ? '' : kind,
    `${countChanges(changes)}  ${styles.dim(keyList)}`,
    comment === null ? '' : `“${printable(comment)}”`,
  ]
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= 1000) return count
  throw new CliError('usage', 'usage', 'Use a number from 1 to 1000.')
}

/** Defines `signalbox history`. */
export const historyCommand = defineCommand({
  about: 'Lists the versions of an environment, newest first. Never shows the values of secrets.',
  examples: ['signalbox history --env production'],
  flags: historyFlags,
  run: history,
})
