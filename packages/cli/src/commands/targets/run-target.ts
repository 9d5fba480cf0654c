import { setTimeout as delay } from 'node:timers/promises'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { Api } from '../../api/api.ts'
import type { Target, TargetPlan } from '../../api/operations.ts'
import { cancelled } from '../../changes/confirmation.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'
import { findTarget, nameParameter } from './find-target.ts'
import { renderPlan } from './render-plan.ts'

type RunFlags = GlobalFlags & { readonly adopt?: readonly string[] | undefined }

/** Limits how long the command waits for the end of a run, which goes on without it. */
const patienceMs = 60_000

async function runTarget(
  session: Session,
  flags: RunFlags,
  name: string,
): Promise<{ readonly exitWith: number } | undefined> {
  const { api, organization } = await openOrganization(session)
  const { output, prompts } = session
  const target = await findTarget(api, organization.id, name)
  const params = { org_id: organization.id, target_id: target.id }
  const plan = await session.progress(`Asking ${target.providerName}`, () =>
    api.call('planTarget', { params }),
  )
  const adopt = chooseAdopted(plan, flags.adopt ?? [])
  const planText = renderPlan(plan, target, output.styles)
  if (flags.dryRun === true) {
    output.document({ dryRun: true, target, plan })
    output.result(planText)
    return undefined
  }
  if (flags.yes !== true) {
    if (prompts.blockedBy !== undefined) throw notConfirmed(prompts.blockedBy)
    output.result(planText)
    const question = `Write to ${printable(target.destinationName)}?`
    if (!(await prompts.confirm(question, false))) throw cancelled()
  }
  await api.call('runTarget', { params, body: { adopt } })
  const done = await session.progress(`Writing to ${target.providerName}`, () =>
    waitForRun(api, params),
  )
  output.document({ target: done })
  return report(session, done)
}

function notConfirmed(blockedBy: string): CliError {
  const why = `A run writes values to another place, and the command can't ask: ${blockedBy}.`
  return new CliError('usage', 'confirmation_required', why, {
    advice: 'Read the plan: signalbox targets plan <name>. Then repeat with --yes.',
  })
}

/** Returns the names to overwrite. @throws {CliError} `not_adoptable` for a name that is no conflict */
function chooseAdopted({ items }: TargetPlan, names: readonly string[]) {
  const conflicts = items.filter(({ isAdoptable }) => isAdoptable)
  const unknown = names.filter((name) => !conflicts.some((conflict) => conflict.name === name))
  if (unknown.length > 0) {
    const able = conflicts.map(({ name }) => name).join(', ')
    throw new CliError('usage', 'not_adoptable', `Nothing to adopt: ${unknown.join(', ')}.`, {
      advice: able === '' ? 'The plan has no conflict.' : `These are in conflict: ${able}`,
    })
  }
  return conflicts
    .filter(({ name }) => names.includes(name))
    .map(({ name, store }) => ({ name, store }))
}

async function waitForRun(
  api: Api,
  params: { readonly org_id: string; readonly target_id: string },
): Promise<Target> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const target = await api.call('getTarget', { params })
    if (!target.isPending || target.health.reason !== null || Date.now() > deadline) return target
    await delay(300)
  }
}

function report(
  { output }: Session,
  { name, health, isPending, names, writtenVersion }: Target,
): { readonly exitWith: number } | undefined {
  const { styles } = output
  if (health.reason !== null) {
    const lines = [health.detail, health.nextStep, health.url].filter((line) => line !== null)
    output.result(
      `${styles.red('✗')} ${printable([`${name}: ${health.reason}`, ...lines].join('\n'))}`,
    )
    return { exitWith: exitCodes.failure }
  }
  output.result(
    isPending
      ? `${printable(name)} is being written. Look again: signalbox targets`
      : `${styles.green('✓')} ${printable(name)} has ${names} ${names === 1 ? 'name' : 'names'} of version ${String(writtenVersion)}`,
  )
  return undefined
}

/** Defines `signalbox targets run`. */
export const runTargetCommand = buildCommand<RunFlags, [string], CliContext>({
  func: action(runTarget),
  parameters: {
    flags: {
      ...globalFlags,
      adopt: {
        kind: 'parsed',
        parse: (text: string) => text,
        optional: true,
        variadic: ',',
        brief: 'Names that are there already and may be overwritten',
        placeholder: 'names',
      },
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Write the values of a target now',
    fullDescription: describe(
      'Shows the plan, asks, and writes. After its first run, a target follows each new version automatically. A name that already exists is left alone unless --adopt names it. Ends with 1 if the target fails. Needs the personal access token of an admin.',
      [
        'signalbox targets run "shop on GitHub"',
        'signalbox targets run "shop on GitHub" --adopt STRIPE_KEY,API_URL --yes',
      ],
    ),
  },
})
