import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { Target } from '../../api/operations.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'
import { planTargetCommand } from './plan-target.ts'
import { runTargetCommand } from './run-target.ts'

async function listTargets(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const targets = await session.progress('Reading the targets', () => api.targets(organization.id))
  const { output } = session
  output.document({ targets })
  output.data(
    targets.length === 0
      ? 'There are no targets. Create one in the dashboard, or declare it in a file: signalbox apply'
      : renderTable(
          targets.map((target) => [
            output.styles.bold(printable(target.name)),
            describeState(target, output.styles),
            printable(`${target.schema ?? 'deleted'}/${target.environment ?? 'deleted'}`),
            printable(`${target.providerName}: ${target.destinationName}`),
            output.styles.dim(target.id),
          ]),
        ),
  )
}

function describeState({ state, health, writtenVersion }: Target, styles: Styles): string {
  if (health.reason !== null) return styles.red(health.reason)
  if (state === 'planned') return styles.yellow('not run yet')
  if (state !== 'active') return styles.dim(state)
  return writtenVersion === null ? 'ok' : `ok, version ${writtenVersion}`
}

const list = buildCommand<GlobalFlags, [], CliContext>({
  func: action(listTargets),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'List the targets',
    fullDescription: describe(
      'Lists where values of environments are written, with their health and the version that was written last.',
      ['signalbox targets'],
    ),
  },
})

/** Defines `signalbox targets`, whose default is the list. */
export const targetsRoutes = buildRouteMap<'list' | 'plan' | 'run', CliContext>({
  routes: { list, plan: planTargetCommand, run: runTargetCommand },
  defaultCommand: 'list',
  docs: { brief: 'List, plan and run targets' },
})
