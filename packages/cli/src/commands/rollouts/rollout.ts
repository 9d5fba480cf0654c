import { setTimeout as delay } from 'node:timers/promises'
import { activePlanStates } from '@signalbox/contract'
import { defineCommand } from '../../action.ts'
import type { Api } from '../../api/api.ts'
import type { RolloutPlan } from '../../api/operations.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { proveFlags, targetFlags, textFlag } from '../../cli-context.ts'
import { openSchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { describePlan, namePlan, renderPlan } from './describe-plan.ts'
import { readSteps, stepFlags } from './step-flags.ts'

/** Defines `signalbox rollout`. */
export const rolloutCommand = defineCommand({
  brief: 'Roll a flag out in steps',
  about:
    'Serves a flag to a growing share of the users, always the same ones. The first step begins immediately, each next one after the hold of the one before. With --wait it waits for the end, and exits with 0 where the rollout is finished, 10 where a proof has taken it back, 9 where it waits for an approval.',
  examples: [
    'signalbox rollout newCheckout --env production --steps 5,25,50,100 --hold 1d',
    'signalbox rollout newCheckout --env production --template careful --request --wait',
    'signalbox rollout newCheckout --env production --steps 5,100 --hold 1h --prove 15m --signal api-errors',
  ],
  flags: {
    ...targetFlags,
    ...stepFlags,
    template: textFlag('name', 'Release template that has the steps'),
    rule: textFlag('id', 'Rule whose share grows (default: the only one, or a new one)'),
    ...changeFlags,
    ...proveFlags,
  },
  args: [{ brief: 'Name of the flag', placeholder: 'flag' }],
  run: async (session, flags, flag) => {
    const target = await openSchemaTarget(session, flags.env)
    const { api, organization, schema, environment } = target
    const { output } = session
    const steps = await readSteps(api, organization.id, flags)
    const shares = steps.map(({ percent }) => `${percent}%`).join(', ')
    if (flags.dryRun) {
      output.document({ dryRun: true, flag, steps })
      output.result(`Would roll out ${flag} in ${environment.name}: ${shares}.`)
      return undefined
    }
    const typed = await confirmValueChange(session, target, {
      question: `Roll out ${flag} in ${environment.name}: ${shares}?`,
      confirmed: flags.confirm,
    })
    const plan = await sendConfirmed(session, flags, typed, (confirmation) =>
      api.call('createRolloutPlan', {
        params: { org_id: organization.id },
        body: {
          schemaId: schema.id,
          environmentId: environment.id,
          flag,
          steps,
          ...(flags.rule !== undefined && { rule: flags.rule }),
          ...confirmation,
        },
      }),
    )
    if (flags.wait === undefined) {
      output.document({ plan })
      output.result(renderPlan(plan, output.styles))
      return undefined
    }
    const deadline = Date.now() + flags.wait
    const last = await session.progress(`Waiting for the rollout of ${flag}`, () =>
      waitForPlan(api, organization.id, { plan, deadline }),
    )
    output.document({ plan: last })
    output.result(renderPlan(last, output.styles))
    return endOf(last)
  },
})

const pauseMs = 5_000

/** Waits until a plan ends, waits for somebody, or the time is over. */
async function waitForPlan(
  api: Api,
  orgId: string,
  { plan, deadline }: { readonly plan: RolloutPlan; readonly deadline: number },
): Promise<RolloutPlan> {
  const input = { params: { org_id: orgId, plan_id: plan.id } }
  let last = plan
  while (last.state === 'running' && Date.now() < deadline) {
    await delay(Math.min(pauseMs, deadline - Date.now()))
    last = await api.callPlainly('getRolloutPlan', input)
  }
  return last
}

/** @throws {CliError} `rollout_restored`, `rollout_waiting`, or why it is not finished */
function endOf(plan: RolloutPlan): undefined {
  if (plan.state === 'finished') return undefined
  const isRestored = plan.state === 'restored'
  const isActive = activePlanStates.some((state) => state === plan.state)
  const reason = isRestored ? 'restored' : plan.state === 'waiting' ? 'waiting' : 'failure'
  const message = `The rollout of ${namePlan(plan)} is ${describePlan(plan)}`
  throw new CliError(reason, `rollout_${plan.state}`, message, {
    ...(isActive && { advice: `signalbox rollouts show ${plan.id}` }),
  })
}
