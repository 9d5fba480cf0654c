import { setTimeout as delay } from 'node:timers/promises'
import { buildRouteMap } from '@stricli/core'
import { type End, defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import { type Api, chooseByName } from '../../api/api.ts'
import type { Target, TargetPlan } from '../../api/operations.ts'
import { cancelled } from '../../changes/confirmation.ts'
import { defineList } from '../../changes/resource-commands.ts'
import { type CliContext, listFlag } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'

const nameArgument = { brief: 'Name or id of the target', placeholder: 'name' } as const

const list = defineList<Target>({
  noun: 'targets',
  word: 'targets',
  member: 'targets',
  about:
    'Lists where values of environments are written, with their health and the version that was written last.',
  create: 'Create one in the dashboard, or declare it in a file: signalbox apply',
  read: (api, orgId) => api.targets(orgId),
  rowOf: (target, styles) => [
    styles.bold(printable(target.name)),
    describeState(target, styles),
    printable(`${target.schema ?? 'deleted'}/${target.environment ?? 'deleted'}`),
    printable(`${target.providerName}: ${target.destinationName}`),
    styles.dim(target.id),
  ],
})

function describeState({ state, health, writtenVersion }: Target, styles: Styles): string {
  if (health.reason !== null) return styles.red(health.reason)
  if (state === 'planned') return styles.yellow('not run yet')
  if (state !== 'active') return styles.dim(state)
  return writtenVersion === null ? 'ok' : `ok, version ${writtenVersion}`
}

/** Reads a target by its name or id, and what its next run does. @throws {CliError} `target_not_found`, `ambiguous_name` */
async function readPlan(session: Session, reference: string) {
  const { api, organization } = await openOrganization(session)
  const target = chooseByName(await api.targets(organization.id), reference, {
    noun: 'target',
    code: 'target_not_found',
    create: 'signalbox targets',
  })
  const params = { org_id: organization.id, target_id: target.id }
  const plan = await session.progress(`Asking ${target.providerName}`, () =>
    api.call('planTarget', { params }),
  )
  return { api, target, params, plan }
}

const plan = defineCommand({
  brief: 'Show what the next run of a target does',
  about:
    'Asks the provider for the names that are there, and lists what the next run creates, updates, deletes and leaves alone. Writes nothing and shows no value. Ends with 8 if the run would change something, or would leave a name out.',
  examples: ['signalbox targets plan "shop on GitHub"'],
  args: [nameArgument],
  run: async (session, _flags, name) => {
    const { target, plan: planned } = await readPlan(session, name)
    const { output } = session
    output.document({ target, plan: planned })
    output.data(renderPlan(planned, target, output.styles))
    return hasWork(planned) ? { exitWith: exitCodes.differences } : undefined
  },
})

/** Limits how long the command waits for the end of a run, which goes on without it. */
const patienceMs = 60_000

const run = defineCommand({
  brief: 'Write the values of a target now',
  about:
    'Shows the plan, asks, and writes. After its first run, a target follows each new version automatically. A name that already exists is left alone unless --adopt names it. Ends with 1 if the target fails. Needs the personal access token of an admin.',
  examples: [
    'signalbox targets run "shop on GitHub"',
    'signalbox targets run "shop on GitHub" --adopt STRIPE_KEY,API_URL --yes',
  ],
  flags: {
    adopt: listFlag('names', 'Names that are there already and may be overwritten'),
  },
  args: [nameArgument],
  run: async (session, flags, name) => {
    const { api, target, params, plan: planned } = await readPlan(session, name)
    const { output, prompts } = session
    const adopt = chooseAdopted(planned, flags.adopt ?? [])
    const planText = renderPlan(planned, target, output.styles)
    if (flags.dryRun === true) {
      output.document({ dryRun: true, target, plan: planned })
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
  },
})

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
): End | undefined {
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
      : `${styles.green('✓')} ${printable(name)} has ${countOf(names, 'name')} of version ${String(writtenVersion)}`,
  )
  return undefined
}

/** Defines `signalbox targets`, whose default is the list. */
export const targetsRoutes = buildRouteMap<'list' | 'plan' | 'run', CliContext>({
  routes: { list, plan, run },
  defaultCommand: 'list',
  docs: { brief: briefs.targets },
})

type Action = TargetPlan['items'][number]['action']

const actions = ['create', 'update', 'delete', 'conflict', 'refuse', 'keep'] as const

/** Returns whether a run would change something, or leave a name out. */
function hasWork({ counts }: TargetPlan): boolean {
  return actions.some((action) => action !== 'keep' && counts[action] > 0)
}

/** Returns a plan as lines: each name with what happens to it, and the counts. It holds no value. */
function renderPlan(
  plan: TargetPlan,
  target: Pick<Target, 'providerName' | 'destinationName'>,
  styles: Styles,
): string {
  const address = printable(`${target.providerName}: ${target.destinationName}`)
  const items = plan.items.toSorted(
    (one, other) => actions.indexOf(one.action) - actions.indexOf(other.action),
  )
  const rows = items.map(({ action, name, store, key, detail }) => [
    colorOf(action, styles)(action),
    printable(name),
    store,
    styles.dim(printable(detail ?? (key === null ? 'no key has it any more' : `of ${key}`))),
  ])
  const counts = actions
    .filter((action) => plan.counts[action] > 0)
    .map((action) => `${plan.counts[action]} to ${action}`)
  const untouched = plan.untouched.length
  return [
    `${address}, version ${plan.version}`,
    ...(rows.length === 0 ? [] : [renderTable(rows)]),
    counts.length === 0 ? 'No key is chosen.' : `${counts.join(', ')}.`,
    ...(untouched === 0 ? [] : [`${untouched} other names there stay as they are.`]),
  ].join('\n')
}

function colorOf(action: Action, styles: Styles): (text: string) => string {
  if (action === 'conflict' || action === 'refuse') return styles.red
  if (action === 'keep') return styles.dim
  return action === 'create' ? styles.green : styles.yellow
}
