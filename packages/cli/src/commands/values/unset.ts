import { defineCommand, type FlagValues } from '../../action.ts'
import { targetFlags } from '../../cli-context.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { readPresentedValues } from '../../values/read-values.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget } from '../../target.ts'
import { requireKey } from './get.ts'

const unsetFlags = { ...targetFlags, ...changeFlags } as const

type UnsetFlags = FlagValues<typeof unsetFlags>

async function unset(session: Session, flags: UnsetFlags, ...names: string[]): Promise<void> {
  const target = await openSchemaTarget(session, flags.env)
  const { api, organization, environment, schema } = target
  const { output } = session
  const keys = names.map((name) => requireKey(target, name))
  const keyList = keys.join(', ')
  const before = await session.progress('Reading the values', () => readPresentedValues(target))
  const own = keys.filter((key) => before.values[key]?.source === 'set')
  if (flags.dryRun || own.length === 0) {
    output.document({
      environment: environment.name,
      dryRun: flags.dryRun,
      keys: own,
      version: before.version,
    })
    output.result(
      own.length === 0
        ? `${keyList} has no value of its own in ${environment.name}.`
        : `Would remove the value of ${own.join(', ')} in ${environment.name}.`,
    )
    return
  }
  const typed = await confirmValueChange(session, target, {
    question: `Remove the value of ${keyList} in ${environment.name}?`,
    confirmed: flags.confirm,
  })
  const stored = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress(`Removing ${keyList}`, () =>
      api.call('deleteConfigValues', {
        params: { org_id: organization.id },
        query: { schemaId: schema.id, environmentId: environment.id, key: own, ...confirmation },
      }),
    ),
  )
  output.document({ environment: environment.name, keys: own, version: stored.version })
  output.result(
    `${output.styles.green('✓')} Removed ${own.join(', ')}  ${environment.name} v${stored.version}`,
  )
  for (const key of own) {
    const source = stored.values[key]?.source
    if (source === 'default' || source === 'inherited')
      output.note(`  ${key} falls back to its ${source} value`)
  }
}

/** Defines `signalbox unset`. */
export const unsetCommand = defineCommand({
  about: 'Removes values from an environment; inherited values and defaults apply again.',
  examples: ['signalbox unset timeoutMs --env staging'],
  flags: unsetFlags,
  args: {
    brief: 'Names of the keys',
    placeholder: 'key',
    minimum: 1,
  },
  run: unset,
})
