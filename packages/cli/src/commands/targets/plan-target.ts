import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { findTarget, nameParameter } from './find-target.ts'
import { hasWork, renderPlan } from './render-plan.ts'

async function planTarget(
  session: Session,
  _flags: GlobalFlags,
  name: string,
): Promise<{ readonly exitWith: number } | undefined> {
  const { api, organization } = await openOrganization(session)
  const target = await findTarget(api, organization.id, name)
  const plan = await session.progress(`Asking ${target.providerName}`, () =>
    api.call('planTarget', { params: { org_id: organization.id, target_id: target.id } }),
  )
  const { output } = session
  output.document({ target, plan })
  output.data(renderPlan(plan, target, output.styles))
  return hasWork(plan) ? { exitWith: exitCodes.differences } : undefined
}

/** Defines `signalbox targets plan`. */
export const planTargetCommand = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(planTarget),
  parameters: { flags: globalFlags, positional: nameParameter },
  docs: {
    brief: 'Show what the next run of a target does',
    fullDescription: describe(
      'Asks the provider for the names that are there, and lists what the next run creates, updates, deletes and leaves alone. Writes nothing and shows no value. Ends with 8 if the run would change something, or would leave a name out.',
      ['signalbox targets plan "shop on GitHub"'],
    ),
  },
})
