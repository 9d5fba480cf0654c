import { defineCommand, type FlagValues } from '../../action.ts'
import { listFlag, targetFlags, switchFlag, textFlag } from '../../cli-context.ts'
import type { Environment } from '../../api/operations.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { noteRequired } from '../../changes/note-required.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { getDefinitionPath } from '../../definition/find-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { breakingChange, exposingChange, returningChange } from '../../push/breaking-change.ts'
import { applyPush, type PushPlan, planPush } from '../../push/plan-push.ts'
import { countTiers } from '../../schema/full-key.ts'
import {
  renderDefinitionChanges,
  renderReport,
  toChangeDocument,
} from '../../schema/render-plan.ts'
import type { Session } from '../../session.ts'
import { chooseSchemaName, openTarget } from '../../target.ts'
import { assertSound, printCounts } from '../../check/print-check.ts'
import { findRefusedByCode } from '../../check/refused-by-code.ts'

const pushFlags = {
  ...targetFlags,
  env: textFlag(
    'name',
    'Environment to check for missing values; all environments share the schema',
  ),
  prune: switchFlag('Remove keys that are no longer declared'),
  allowBreaking: switchFlag('Push even if the change breaks readers or stored values'),
  expose: listFlag('keys', 'Secrets to make public, including their stored values'),
  allowPlain: listFlag(
    'keys',
    'Keys whose defaults have the form of a credential and are no secrets',
  ),
  restore: listFlag(
    'keys',
    'Keys whose values from an earlier time come back, in every environment',
  ),
  forget: listFlag('keys', 'Keys that begin without their values from an earlier time'),
  ...changeFlags,
} as const

type PushFlags = FlagValues<typeof pushFlags>

async function push(session: Session, flags: PushFlags): Promise<void> {
  const startedAt = Date.now()
  const path = await getDefinitionPath(session)
  const definition = await session.progress('Loading the definition', () =>
    readDefinition(session, path),
  )
  assertSound(session, definition)
  printCounts(session, definition)
  const target = await openTarget(session, flags.env)
  const schemaName = await chooseSchemaName(session)
  const plan = await session.progress('Comparing with the server', async () => {
    const planned = await planPush({
      ...target,
      definition,
      schemaName,
      prune: flags.prune === true,
      expose: flags.expose ?? [],
      allowPlain: flags.allowPlain ?? [],
      returning: toReturning(flags),
    })
    return { ...planned, blocking: [...planned.blocking, ...(await findRefusedByCode(planned))] }
  })
  printPlan(session, plan, flags)
  const document = documentOf(plan, flags)
  if (flags.dryRun || (plan.remote !== undefined && plan.effective.length === 0)) {
    if (!flags.dryRun) session.output.result('  Nothing to push.')
    assertAllowed(plan, flags)
    session.output.document(document)
    return
  }
  assertAllowed(plan, flags)
  const typed = await confirmPush(session, plan, flags)
  const schema = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress('Pushing', () =>
      applyPush(plan, { allowBreaking: flags.allowBreaking === true, confirmation }),
    ),
  )
  session.output.document({ ...document, revision: schema.revision, schemaId: schema.id })
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  const { styles } = session.output
  session.output.result(
    `${styles.green('✓')} Pushed ${schema.name} revision ${schema.revision} in ${seconds} s  ${styles.dim(schema.id)}`,
  )
}

function toReturning({ restore = [], forget = [] }: PushFlags): PushPlan['returning'] {
  return Object.fromEntries([
    ...restore.map((key) => [key, 'restore'] as const),
    ...forget.map((key) => [key, 'forget'] as const),
  ])
}

function printPlan(session: Session, plan: PushPlan, { prune }: PushFlags): void {
  const { output } = session
  const { remote, changes, report, environment, schemaName } = plan
  const from = remote === undefined ? 'not on the server yet' : `revision ${remote.revision}`
  output.result(`  ${environment.name} · schema ${schemaName}, ${from}`)
  if (changes.length > 0) output.result(renderDefinitionChanges(changes, prune === true, output))
  for (const line of renderReport(report, output)) output.result(line)
  if (plan.reached.length > 0 && !environment.production) {
    output.note(`  ${output.errorStyles.yellow('note')} ${reachOf(plan)}`)
  }
  noteRequired(output, plan.requires)
}

function reachOf({ reached }: PushPlan): string {
  return `environments share the schema: these changes also apply to ${namesOf(reached)}`
}

function namesOf(environments: readonly Environment[]): string {
  return environments.map(({ name }) => name).join(', ')
}

/** Confirms a push that changes production as a change of production, whichever environment was named. */
async function confirmPush(
  session: Session,
  plan: PushPlan,
  { confirm: confirmed }: PushFlags,
): Promise<readonly string[]> {
  const { environment, reached } = plan
  const [production] = reached
  if (environment.production || production === undefined) {
    return confirmChange(session, {
      environment,
      confirmed,
      question: `Push these changes to ${environment.name}?`,
      elsewhere: 'onTerminal',
    })
  }
  return confirmChange(session, {
    environment: production,
    confirmed,
    question: `Push these changes, which also apply to ${namesOf(reached)}?`,
    reason: reachOf(plan).replace(/^e/, 'E'),
  })
}

/**
 * Throws when the change may break readers or publishes secrets, and no flag allows it.
 *
 * @throws {CliError} `breaking_change`
 */
function assertAllowed(plan: PushPlan, { allowBreaking }: PushFlags): void {
  if (plan.exposes.length > 0) throw exposingChange(plan.exposes)
  if (plan.returns.length > 0) throw returningChange(plan.returns, plan.report)
  if (allowBreaking || plan.blocking.length === 0) return
  throw breakingChange(plan.blocking)
}

function documentOf(plan: PushPlan, flags: PushFlags): Record<string, unknown> {
  return {
    environment: plan.environment.name,
    schema: plan.schemaName,
    schemaId: plan.remote?.id ?? null,
    dryRun: flags.dryRun,
    created: plan.remote === undefined,
    counts: countTiers(plan.definition.keys.values()),
    revision: plan.remote?.revision ?? null,
    changes: plan.changes.map(toChangeDocument),
    kept: flags.prune
      ? []
      : plan.changes.filter(({ kind }) => kind === 'removed').map(({ key }) => key),
    report: plan.report,
    requires: plan.requires,
    reached: plan.reached.map(({ name }) => name),
  }
}

/** Defines `signalbox push`. */
export const pushCommand = defineCommand({
  about:
    "Reads the definition, compares it with the server, shows the changes and the missing values, and sends it. Writes only declared keys; others stay unless --prune. Creates the schema if it doesn't exist.",
  examples: [
    'signalbox push --env development',
    'signalbox push --env production --dry-run',
    'signalbox push --env staging --yes --json',
  ],
  flags: pushFlags,
  run: push,
})
