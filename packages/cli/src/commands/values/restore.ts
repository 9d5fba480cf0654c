import { restoreExceptions } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import type { ConfigVersion } from '../../api/operations.ts'
import { proveFlags, targetFlags, switchFlag } from '../../cli-context.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { type Confirmation, changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { countChanges, renderValueChanges } from '../../changes/render-changes.ts'
import { renderLeftOut } from '../../changes/render-left-out.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'

const restoreFlags = {
  ...targetFlags,
  ...changeFlags,
  ...proveFlags,
  include: {
    kind: 'enum',
    values: restoreExceptions,
    optional: true,
    variadic: ',',
    brief: 'Restore these too: flags that are turned off now and not in that version',
  },
  force: switchFlag('Publish values that were secret in that version and are public now'),
} as const

type RestoreFlags = FlagValues<typeof restoreFlags>

async function restore(session: Session, flags: RestoreFlags, reference: string): Promise<void> {
  const target = await openSchemaTarget(session, flags.env)
  const { api, organization, environment } = target
  const { output } = session
  const { version, newest } = await findVersion(target, reference)
  const call = (dryRun: boolean, confirmation: Confirmation = {}) =>
    api.call('restoreConfigVersion', {
      params: { org_id: organization.id, version_id: version.id },
      body: {
        ...(dryRun ? { dryRun } : {}),
        ...(flags.force ? { force: true } : {}),
        ...(flags.include && { include: [...flags.include] }),
        ...confirmation,
      },
      ifMatch: newest,
    })
  const plan = await session.progress('Comparing', () => call(true))
  output.result(
    `  ${environment.name} v${newest} → content of v${version.version}: ${countChanges(plan.changes)}`,
  )
  if (plan.changes.length > 0) output.result(renderValueChanges(plan.changes, output))
  for (const line of renderLeftOut(plan.leftOut, { turnedOff: 'turned off' })) output.result(line)
  if (flags.dryRun || plan.changes.length === 0) {
    const { changes, leftOut } = plan
    output.document({ environment: environment.name, dryRun: flags.dryRun, changes, leftOut })
    return
  }
  const typed = await confirmValueChange(session, target, {
    question: `Restore v${version.version} in ${environment.name}?`,
    confirmed: flags.confirm,
  })
  const restored = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress('Restoring', () => call(false, confirmation)),
  )
  output.document({
    environment: environment.name,
    version: restored.version,
    changes: restored.changes,
    leftOut: restored.leftOut,
  })
  output.result(`${output.styles.green('✓')} Restored v${version.version} as v${restored.version}`)
}

async function findVersion(
  { api, organization, schema, environment }: SchemaTarget,
  reference: string,
): Promise<{ version: ConfigVersion; newest: number }> {
  const number = Number(/^v?(\d+)$/.exec(reference)?.[1] ?? Number.NaN)
  const versions = await api.versions(organization.id, schema.id, environment.id, 1000)
  const version = versions.find((each) => each.id === reference || each.version === number)
  const newest = versions[0]?.version
  if (version !== undefined && newest !== undefined) return { version, newest }
  throw new CliError(
    'failure',
    'version_not_found',
    `${environment.name} has no version ${reference}.`,
    {
      advice: `signalbox history --env ${environment.name}`,
    },
  )
}

/** Defines `signalbox restore`. */
export const restoreCommand = defineCommand({
  about:
    'Stores the content of an earlier version as a new version. Nothing is lost. A flag that is turned off stays off.',
  examples: [
    'signalbox restore v41 --env production --dry-run',
    'signalbox restore v41 --env production --comment "checkout broken"',
    'signalbox restore v41 --env production --include turnedOff',
  ],
  flags: restoreFlags,
  args: [{ brief: 'Version, such as v41', placeholder: 'version' }],
  run: restore,
})
