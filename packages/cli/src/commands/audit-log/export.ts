import { resolve } from 'node:path'
import { defineCommand, type FlagValues } from '../../action.ts'
import { textFlag } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { openEventFile } from './event-file.ts'

const exportAuditLogFlags = {
  output: textFlag('file', 'File to write; one that exists is continued (default: stdout)'),
  after: {
    kind: 'parsed',
    parse: parseSequence,
    optional: true,
    brief: 'Sequence of the last event that you have',
    placeholder: 'sequence',
  },
} as const

type ExportFlags = FlagValues<typeof exportAuditLogFlags>

async function exportAuditLog(session: Session, flags: ExportFlags): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const linesAfter = (afterSequence: number) =>
    api.download('exportAuditEvents', {
      params: { org_id: organization.id },
      query: { format: 'jsonl', afterSequence },
    })
  if (flags.output === undefined) return printEvents(session, linesAfter(flags.after ?? 0))
  const { output } = session
  const file = await openEventFile(resolve(session.cwd, flags.output), flags.after)
  const after = file.lastSequence
  let added = 0
  try {
    await session.progress('Reading the audit log', async () => {
      for await (const line of linesAfter(after)) {
        await file.append(line)
        added += 1
      }
    })
  } finally {
    await file.close()
  }
  output.document({ file: flags.output, added, afterSequence: after })
  output.result(
    `${output.styles.green('✓')} ${flags.output}: ${added} new ${added === 1 ? 'event' : 'events'}${after === 0 ? '' : ` after ${after}`}`,
  )
}

async function printEvents({ output }: Session, lines: AsyncGenerator<string>): Promise<void> {
  const events: unknown[] = []
  for await (const line of lines) {
    output.data(line)
    if (output.json) events.push(JSON.parse(line))
  }
  output.document({ events })
}

function parseSequence(text: string): number {
  const sequence = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(sequence)) return sequence
  throw new CliError('usage', 'usage', 'Use the sequence of an event, such as 4711.')
}

/** Defines `signalbox audit-log export`. */
export const exportCommand = defineCommand({
  brief: 'Download the audit log as lines of JSON',
  about:
    'Prints the events of the organization, oldest first, one on each line. With --output, a file that exists gets the events after its last one, so the same command keeps it up to date; a line that was cut off is replaced. Needs the personal access token of an admin.',
  examples: [
    'signalbox audit-log export --output audit.jsonl',
    'signalbox audit-log export --after 4711',
  ],
  flags: exportAuditLogFlags,
  run: exportAuditLog,
})
