import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { Api } from '../../api/api.ts'
import type { Answer, Organization } from '../../api/operations.ts'
import { confirmChange } from '../../changes/confirm.ts'
import {
  confirmationFlags,
  sendConfirmed,
  type ConfirmationFlags,
} from '../../changes/confirmation.ts'
import { textFlag, globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { readGroups } from './read-groups.ts'
import { nameParameter, renderReview } from './render-segment.ts'

type UpdateFlags = GlobalFlags &
  ConfirmationFlags & {
    readonly file?: string | undefined
    readonly description?: string | undefined
  }

async function updateSegment(session: Session, flags: UpdateFlags, name: string): Promise<void> {
  if (flags.file === undefined && flags.description === undefined) {
    throw new CliError('usage', 'change_required', `Nothing to change in ${name}: give a flag.`, {
      advice: 'signalbox segments update --help',
    })
  }
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const before = await api.segment(organization.id, name)
  const anyOf = flags.file === undefined ? before.anyOf : await readGroups(session, flags.file)
  const { description = before.description } = flags
  const send = (rest: { readonly dryRun?: true; readonly confirm?: string[] }) =>
    api.call('replaceSegment', {
      params: { org_id: organization.id, segment: name },
      body: { anyOf, description, ...rest },
      ifMatch: before.version,
    })
  const preview = await send({ dryRun: true })
  const { environments } = preview
  const review = renderReview(output, before, { anyOf, description, environments })
  if (flags.dryRun) {
    output.document({ dryRun: true, name, anyOf, description, environments })
    output.result(review)
    return
  }
  output.note(review)
  const typed = await confirmProduction(session, flags, { api, organization, name, preview })
  const updated = await sendConfirmed(session, flags, typed, send)
  output.document({ segment: updated })
  output.result(
    updated.version === before.version
      ? `The segment ${name} is the same already.`
      : `${output.styles.green('✓')} Changed the segment ${name} to version ${updated.version}`,
  )
}

interface PreviewedChange {
  readonly api: Api
  readonly organization: Organization
  readonly name: string
  readonly preview: Answer<'replaceSegment'>
}

/** Asks for the name of a production environment whose flags change. */
async function confirmProduction(
  session: Session,
  { confirm }: UpdateFlags,
  { api, organization, name, preview }: PreviewedChange,
): Promise<readonly string[]> {
  if (preview.environments.length === 0) return []
  const changed = new Set(preview.environments.map(({ environmentId }) => environmentId))
  const environments = await api.environments(organization.id)
  const environment = environments.find(({ id, production }) => production && changed.has(id))
  if (environment === undefined) return []
  const question = `Change the segment ${name}?`
  return confirmChange(session, { environment, question, confirmed: confirm })
}

/** Defines `signalbox segments update`. */
export const updateSegmentCommand = buildCommand<UpdateFlags, [string], CliContext>({
  func: action(updateSegment),
  parameters: {
    flags: {
      ...globalFlags,
      file: textFlag('path', 'JSON file with the groups, or what segments show --json prints'),
      description: textFlag('text', 'Who the segment is for'),
      ...confirmationFlags,
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Change a segment',
    fullDescription: describe(
      'Shows every flag that changes with the segment, then changes all of them or none. With --dry-run it only shows them.',
      [
        'signalbox segments update staff --file staff.json --dry-run',
        'signalbox segments update staff --file staff.json --confirm production',
      ],
    ),
  },
})
