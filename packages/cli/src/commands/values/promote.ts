import { promotionExceptions, type PromotionException } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import { proveFlags, listFlag, schemaFlags } from '../../cli-context.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { type Confirmation, changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { countChanges, renderValueChanges } from '../../changes/render-changes.ts'
import { noteRequired } from '../../changes/note-required.ts'
import { renderLeftOut } from '../../changes/render-left-out.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget } from '../../target.ts'
import { requireKey } from './get.ts'

const required = (brief: string) =>
  ({ kind: 'parsed', parse: (input: string) => input, brief, placeholder: 'name' }) as const

const promoteFlags = {
  ...schemaFlags,
  from: required('Environment to copy from'),
  to: required('Environment to copy to'),
  include: {
    kind: 'enum',
    values: promotionExceptions,
    optional: true,
    variadic: ',',
    brief: 'Copy these too when no key is named',
  },
  allowPlain: listFlag('keys', 'Keys that have the form of a credential and are no secrets'),
  ...changeFlags,
  ...proveFlags,
} as const

type PromoteFlags = FlagValues<typeof promoteFlags>

/** Ties a promotion to what its dry run has shown of the source. */
interface OnShown {
  readonly dryRun?: true
  readonly expectedSourceVersion?: number
}

async function promote(session: Session, flags: PromoteFlags, ...names: string[]): Promise<void> {
  const to = await openSchemaTarget(session, flags.to)
  const { api, organization, schema, environment } = to
  const { output } = session
  const from = await api.environment(organization.id, flags.from)
  const keys = names.map((name) => requireKey(to, name))
  const call = (of: Confirmation & OnShown, ifMatch?: number) =>
    api.call('promoteConfigValues', {
      params: { org_id: organization.id },
      body: {
        schemaId: schema.id,
        fromEnvironmentId: from.id,
        toEnvironmentId: environment.id,
        ...(keys.length > 0 && { keys }),
        ...(flags.include && { include: [...flags.include] }),
        ...(flags.allowPlain && { allowPlain: [...flags.allowPlain] }),
        ...of,
      },
      ...(ifMatch === undefined ? {} : { ifMatch }),
    })
  const plan = await session.progress('Comparing', () => call({ dryRun: true }))
  output.result(`  ${from.name} → ${environment.name}: ${countChanges(plan.changes)}`)
  if (plan.changes.length > 0) output.result(renderValueChanges(plan.changes, output))
  for (const line of renderLeftOut(plan.leftOut, reasons)) output.result(line)
  noteRequired(output, plan.requires)
  if (flags.dryRun || plan.changes.length === 0) {
    output.document({
      from: from.name,
      to: environment.name,
      dryRun: flags.dryRun,
      changes: plan.changes,
      leftOut: plan.leftOut,
      requires: plan.requires,
    })
    return
  }
  const typed = await confirmValueChange(session, to, {
    question: `Promote these values to ${environment.name}?`,
    confirmed: flags.confirm,
  })
  const { currentVersion, sourceVersion: expectedSourceVersion } = plan
  const done = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress('Promoting', () =>
      call({ ...confirmation, expectedSourceVersion }, currentVersion),
    ),
  )
  const version = done.currentVersion
  const { changes, leftOut } = done
  output.document({ from: from.name, to: environment.name, version, changes, leftOut })
  output.result(`${output.styles.green('✓')} Promoted to ${environment.name} v${version}`)
}

const reasons: Record<PromotionException, string> = {
  expectedToDiffer: 'expected to differ',
  secret: 'secret',
  turnedOff: 'turned off in one of the two',
}

/** Defines `signalbox promote`. */
export const promoteCommand = defineCommand({
  about: 'Shows the differences between two environments, asks, and copies the values.',
  examples: [
    'signalbox promote --from staging --to production --dry-run',
    'signalbox promote --from staging --to production newCheckout timeoutMs',
    'signalbox promote --from staging --to production --include secret',
  ],
  flags: promoteFlags,
  args: {
    brief:
      'Names of the keys (default: all that the source sets, without secrets, keys that are expected to differ and flags that are turned off)',
    placeholder: 'key',
    minimum: 0,
  },
  run: promote,
})
