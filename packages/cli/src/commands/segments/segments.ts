import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { globalFlags, textFlag, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { deleteSegmentCommand } from './delete-segment.ts'
import { readGroups } from './read-groups.ts'
import { nameParameter, renderSegment } from './render-segment.ts'
import { updateSegmentCommand } from './update-segment.ts'

async function listSegments(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const segments = await session.progress('Reading the segments', () =>
    api.segments(organization.id),
  )
  const { output } = session
  output.document({ segments })
  const rows = segments.map(({ name, text, flags, description }) => [
    output.styles.bold(name),
    printable(text),
    `${flags} ${flags === 1 ? 'flag' : 'flags'}`,
    printable(description),
  ])
  output.data(
    rows.length === 0
      ? 'There are no segments. Create one: signalbox segments create <name> --file groups.json'
      : renderTable(rows),
  )
}

async function showSegment(session: Session, _flags: GlobalFlags, name: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const segment = await api.segment(organization.id, name)
  const { output } = session
  output.document({ segment })
  output.data(renderSegment(output, segment))
}

type CreateFlags = GlobalFlags & {
  readonly file?: string | undefined
  readonly description?: string | undefined
}

async function createSegment(session: Session, flags: CreateFlags, name: string): Promise<void> {
  const { file, description } = flags
  if (file === undefined) {
    throw new CliError('usage', 'file_required', 'Name the file with the groups of the segment.', {
      advice: `signalbox segments create ${name} --file groups.json`,
    })
  }
  const anyOf = await readGroups(session, file)
  const { api, organization } = await openOrganization(session)
  const { output } = session
  if (flags.dryRun) {
    output.document({ dryRun: true, name, anyOf })
    output.result(`Would create the segment ${name}.`)
    return
  }
  const segment = await api.call('createSegment', {
    params: { org_id: organization.id },
    body: { name, anyOf, ...(description === undefined ? {} : { description }) },
  })
  output.document({ segment })
  output.result(`${output.styles.green('✓')} Created the segment ${name}. Rules can use it now.`)
}

const list = buildCommand<GlobalFlags, [], CliContext>({
  func: action(listSegments),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'List the segments',
    fullDescription: describe(
      'Lists the segments of the organization, each with who is in it and how many flags use it.',
      ['signalbox segments'],
    ),
  },
})

const show = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(showSegment),
  parameters: { flags: globalFlags, positional: nameParameter },
  docs: {
    brief: 'Show a segment',
    fullDescription: describe('Shows who is in a segment, and the flags that use it.', [
      'signalbox segments show staff',
      'signalbox segments show staff --json > staff.json',
    ]),
  },
})

const create = buildCommand<CreateFlags, [string], CliContext>({
  func: action(createSegment),
  parameters: {
    flags: {
      ...globalFlags,
      file: textFlag('path', 'JSON file with the groups'),
      description: textFlag('text', 'Who the segment is for'),
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Create a segment',
    fullDescription: describe(
      'Creates a segment out of a JSON file: a list of groups, each with conditions that must all hold. A user is in the segment who is in one of the groups.',
      ['signalbox segments create staff --file staff.json'],
    ),
  },
})

/** Defines `signalbox segments`, whose default is the list. */
export const segmentsRoutes = buildRouteMap<
  'list' | 'show' | 'create' | 'update' | 'delete',
  CliContext
>({
  routes: { list, show, create, update: updateSegmentCommand, delete: deleteSegmentCommand },
  defaultCommand: 'list',
  docs: { brief: 'List, show, create, change and delete segments' },
})
