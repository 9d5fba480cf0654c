import { buildRouteMap } from '@stricli/core'
import { defineCommand, type FlagValues } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import { proveFlags, targetFlags } from '../../cli-context.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { type Confirmation, changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { renderValueChanges } from '../../changes/render-changes.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { requireKey } from './get.ts'

const turnFlags = { ...targetFlags, ...changeFlags, ...proveFlags } as const

type TurnFlags = FlagValues<typeof turnFlags>

type To = 'off' | 'on'

async function turn(session: Session, flags: TurnFlags, to: To, name: string): Promise<void> {
  const target = await openSchemaTarget(session, flags.env)
  const { environment } = target
  const { output } = session
  const key = requireKey(target, name)
  const call = createCall(target, { key, to })
  const environments = await target.api.environments(target.organization.id)
  const show = ({ environments: changed }: Awaited<ReturnType<typeof call>>) => {
    for (const { environmentId, changes } of changed) {
      if (changes.length === 0) continue
      const of = environments.find(({ id }) => id === environmentId)?.name ?? environmentId
      output.result(`  ${of}`)
      output.result(renderValueChanges(changes, output))
    }
  }
  let typed: readonly string[] = []
  if (to === 'on' || flags.dryRun) {
    const plan = await session.progress('Comparing', () => call({ dryRun: true }))
    const [problem] = plan.problems
    if (problem !== undefined) throw new CliError('failure', problem.code, problem.detail)
    show(plan)
    if (flags.dryRun) {
      output.document({ key, to, dryRun: true, environments: plan.environments })
      return
    }
    typed = await confirmValueChange(session, target, {
      question: `Turn on ${key} in ${environment.name}?`,
      confirmed: flags.confirm,
    })
  }
  const turned = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress(`Turning ${to} ${key}`, () => call(confirmation)),
  )
  if (to === 'off') show(turned)
  const { currentVersion } = turned.environments[0] ?? {}
  output.document({ key, to, dryRun: false, environments: turned.environments })
  output.result(
    `${output.styles.green('✓')} ${key} is turned ${to}  ${environment.name} v${currentVersion}`,
  )
}

function createCall(
  { api, organization, schema, environment }: SchemaTarget,
  { key, to }: { readonly key: string; readonly to: To },
) {
  return (of: Confirmation & { readonly dryRun?: true }) =>
    api.call('changeConfig', {
      params: { org_id: organization.id },
      body: {
        schemaId: schema.id,
        changes: [{ environmentId: environment.id, turn: { [key]: to } }],
        ...of,
      },
    })
}

function defineTurn(to: To, brief: string, about: string) {
  return defineCommand({
    brief,
    about,
    examples: [`signalbox turn ${to} payments --env production`],
    flags: turnFlags,
    args: [{ brief: 'Name of the flag', placeholder: 'flag' }],
    run: (session, flags, key) => turn(session, flags, to, key),
  })
}

/** Defines `signalbox turn off` and `signalbox turn on`. */
export const turnRoutes = buildRouteMap({
  routes: {
    off: defineTurn(
      'off',
      'Turn a flag off for everyone, immediately',
      'Turns a flag off for everyone in an environment and in those that inherit it. Asks nothing, unless an environment is protected. Its value and rules are kept aside.',
    ),
    on: defineTurn(
      'on',
      'Bring back a flag that was turned off',
      'Shows who gets the flag again, asks, and brings back the value and the rules that it had when it was turned off.',
    ),
  },
  docs: { brief: briefs.turn },
})
