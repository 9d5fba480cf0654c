import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { nameParameter } from './render-segment.ts'

async function deleteSegment(session: Session, flags: GlobalFlags, name: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const { version } = await api.segment(organization.id, name)
  if (flags.dryRun) {
    output.document({ dryRun: true, name })
    output.result(`Would delete the segment ${name}.`)
    return
  }
  await confirmChange(session, {
    environment: { name, production: false },
    question: `Delete the segment ${name} with its versions?`,
    elsewhere: 'always',
  })
  await api.call('deleteSegment', {
    params: { org_id: organization.id, segment: name },
    ifMatch: version,
  })
  output.document({ deleted: name })
  output.result(`${output.styles.green('✓')} Deleted the segment ${name}`)
}

/** Defines `signalbox segments delete`. */
export const deleteSegmentCommand = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(deleteSegment),
  parameters: { flags: globalFlags, positional: nameParameter },
  docs: {
    brief: 'Delete a segment',
    fullDescription: describe(
      'Deletes a segment that no flag uses. One in use stays, and the error names the flags.',
      ['signalbox segments delete beta --yes'],
    ),
  },
})
