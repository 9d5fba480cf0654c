import { defineCommand, type FlagValues } from '../../action.ts'
import { compareFile } from '../../apply/compare.ts'
import { exportFile } from '../../apply/export-file.ts'
import { ChangesRequested } from '../../api/requests/changes-requested.ts'
import { toMembers, toTerms } from '../../api/requests/terms.ts'
import type { ApprovedChange, KindPlan, Send } from '../../apply/kind.ts'
import { hasChanges } from '../../apply/plan.ts'
import { readDeclaration } from '../../apply/read-file.ts'
import { countPlan, nameStep, renderPlan, toPlanDocument } from '../../apply/render-plan.ts'
import { createWorld, type World } from '../../apply/world.ts'
import { writePlan } from '../../apply/write-plan.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { findReached } from '../../changes/environment-descendants.ts'
import { switchFlag, textFlag } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'

const applyFlags = {
  file: textFlag('path', 'File to apply, or - for standard input (default signalbox.yaml)'),
  plan: switchFlag('Only show what would change; exits with 8 if something would'),
  prune: switchFlag('Delete what the file does not name, of the kinds that it has'),
  export: switchFlag('Print a file of what exists now'),
  ...changeFlags,
} as const

type ApplyFlags = FlagValues<typeof applyFlags>

async function apply(
  session: Session,
  flags: ApplyFlags,
): Promise<{ readonly exitWith: number } | undefined> {
  if (flags.export) return printExport(session)
  const file = await readDeclaration(session, flags.file ?? 'signalbox.yaml')
  const { api, organization } = await openOrganization(session)
  const environments = file.members.find(({ kind }) => kind.member === 'environments')
  const declared = environments?.declared.map(({ key }) => key) ?? []
  const world = createWorld(api, organization.id, declared)
  const plans = await compareFile(world, file, flags.prune === true)
  const { output } = session
  const title = `${file.name} → ${organization.slug} at ${api.serverUrl}`
  if (!hasChanges(plans)) {
    output.document({ ...toPlanDocument(plans), applied: false })
    output.result(`${title}\n${renderPlan(plans, output)}\nNothing to do.`)
    return undefined
  }
  if (flags.plan || flags.dryRun) {
    output.document({ ...toPlanDocument(plans), applied: false })
    output.result(`${title}\n${renderPlan(plans, output)}`)
    return { exitWith: exitCodes.differences }
  }
  output.note(`${title}\n${renderPlan(plans, { ...output, styles: output.errorStyles })}`)
  const typed = await confirmPlan(session, flags, world, plans)
  const sender = createSender(session, flags, typed)
  await writePlan({ world, send: sender.send }, plans, (kind, step) =>
    output.note(`${output.errorStyles.green('✓')} ${printable(nameStep(kind, step))}`),
  )
  await sender.askForWaiting(world, `Apply ${file.name}`, toPlanDocument(plans))
  output.document({ ...toPlanDocument(plans), applied: true })
  const { create, change, delete: deleted } = countPlan(plans)
  output.result(
    `${output.styles.green('✓')} Applied ${file.name}: ${create} created, ${change} changed, ${deleted} deleted.`,
  )
  adviseOnCreated(session, plans)
  return undefined
}

/** Asks once for the whole plan. One that changes or deletes a production environment takes its name. */
async function confirmPlan(
  session: Session,
  { confirm }: ApplyFlags,
  world: World,
  plans: readonly KindPlan[],
): Promise<readonly string[]> {
  const environments = await world.environments()
  const touched = plans
    .filter(({ kind }) => kind.member === 'environments')
    .flatMap(({ steps }) => steps.filter(({ change }) => change !== 'create'))
  const reached = touched
    .map(({ key }) => environments.find(({ name }) => name === key))
    .map((environment) => environment && findReached(environment, environments))
    .find((environment) => environment !== undefined)
  return confirmChange(session, {
    environment: reached ?? { name: 'these changes', production: false },
    question: 'Apply these changes?',
    ...(reached !== undefined && {
      reason: `The plan changes ${reached.name}, a production environment`,
    }),
    elsewhere: 'always',
    confirmed: confirm,
  })
}

/**
 * Sends the changes of a plan. Where people must approve one and the command asks them, it waits with every later change of an
 * environment, because these may need it: all of them become one request.
 */
function createSender(session: Session, flags: ApplyFlags, typed: readonly string[]) {
  const terms = toTerms(flags)
  const waiting: ApprovedChange[] = []
  const send: Send = async (change) => {
    if (waiting.length === 0) {
      try {
        await sendConfirmed(session, flags, typed, change.call)
        return true
      } catch (error) {
        const mustWait = error instanceof CliError && error.code === 'approval_required'
        if (terms === undefined || !mustWait) throw error
      }
    }
    waiting.push(change)
    return false
  }
  /** @throws {ChangesRequested} the request of what waits */
  const askForWaiting = async ({ api, orgId }: World, title: string, document: object) => {
    if (terms === undefined || waiting.length === 0) return
    const request = await sendConfirmed(session, flags, typed, (confirmation) => {
      const operations = waiting.map(({ toOperation }) => toOperation(confirmation))
      const [only, second] = operations
      return api.callPlainly('createChangeRequest', {
        params: { org_id: orgId },
        body: {
          title,
          ...toMembers(terms),
          operation:
            only !== undefined && second === undefined ? only : { kind: 'apply', operations },
        },
      })
    })
    throw new ChangesRequested([request], { ...document, applied: false })
  }
  return { send, askForWaiting }
}

/** Says what is left to do about what was created. */
function adviseOnCreated({ output }: Session, plans: readonly KindPlan[]): void {
  for (const { kind, steps } of plans) {
    for (const { change, key } of steps) {
      const advice = change === 'create' ? kind.adviseOnCreated?.(key) : undefined
      if (advice !== undefined) output.note(printable(advice))
    }
  }
}

async function printExport(session: Session): Promise<undefined> {
  const { api, organization } = await openOrganization(session)
  const world = createWorld(api, organization.id, [])
  const { text, content, unread } = await session.progress('Reading what exists', () =>
    exportFile(world),
  )
  const { output } = session
  if (unread.length > 0) {
    output.warn(
      `Left out, because this token may not read it: ${unread.join(', ')}. An admin signs in with signalbox login.`,
    )
  }
  output.document({ file: content })
  output.data(text.trimEnd())
  return undefined
}

/** Defines `signalbox apply`. */
export const applyCommand = defineCommand({
  about:
    'Compares a file with the organization, shows the plan, and creates and changes what differs. What the file does not name stays, unless you pass --prune. A second run has nothing to do.',
  examples: [
    'signalbox apply --export > signalbox.yaml',
    'signalbox apply -f signalbox.yaml --plan',
    'signalbox apply -f signalbox.yaml --yes',
  ],
  flags: applyFlags,
  aliases: { f: 'file' },
  run: apply,
})
