import { describeTarget } from '../../api/problem-error.ts'
import type { FlagValues } from '../../action.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { type Confirmation, changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { renderValueChanges } from '../../changes/render-changes.ts'
import { proveFlags, switchFlag, targetFlags } from '../../cli-context.ts'
import type { Rules } from '../../values/rules.ts'
import { showRules } from '../../values/show-rules.ts'
import type { Session } from '../../session.ts'
import type { SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { readPresentedValues } from '../../values/read-values.ts'

/** Lists the flags of each command that saves rules. */
export const saveFlags = {
  ...targetFlags,
  allowPlain: switchFlag('Store them although they have the form of a credential: it is no secret'),
  ...changeFlags,
  ...proveFlags,
} as const

/** Holds what those flags give. In some commands `--at` is a place among the rules. */
export type SaveFlags = Omit<FlagValues<typeof saveFlags>, 'at'>

/** Describes rules to save, and what is said of it. */
export interface RulesChange {
  readonly key: string
  readonly rules: Rules
  /** Holds the version that the rules were read in. Whoever saved since is not overwritten. Absent: any version. */
  readonly version?: number | undefined
  /** Asks before it is done, and says what was done. Examples: `Add a rule to seats`, `Added rule 2 to seats`. */
  readonly question: string
  readonly done: string
}

/**
 * Shows who gets what by the rules, asks, saves them, and shows them with the numbers and ids that they have then.
 *
 * @throws {CliError} the first violation with its place; `cancelled`
 */
export async function saveRules(
  session: Session,
  flags: SaveFlags,
  target: SchemaTarget,
  { key, rules, version, question, done }: RulesChange,
): Promise<void> {
  const { output } = session
  const { api, environment, organization, schema } = target
  const expected = version === undefined ? {} : { expectedVersion: version }
  const call = (of: Confirmation & { readonly dryRun?: true }) =>
    api.call('changeConfig', {
      params: { org_id: organization.id },
      body: {
        schemaId: schema.id,
        changes: [{ environmentId: environment.id, rules: { [key]: rules }, ...expected }],
        ...(flags.allowPlain === true && { allowPlain: [key] }),
        ...of,
      },
    })
  const plan = await session.progress('Comparing', () => call({ dryRun: true }))
  const [problem] = plan.problems
  if (problem !== undefined) {
    throw new CliError('validation', problem.code, describeTarget(problem))
  }
  const changes = plan.environments.flatMap((each) => each.changes)
  output.result(
    changes.length === 0
      ? `The rules of ${key} in ${environment.name} are the same already.`
      : renderValueChanges(changes, output),
  )
  if (flags.dryRun || changes.length === 0) {
    output.document({ key, dryRun: flags.dryRun, environments: plan.environments })
    return
  }
  const typed = await confirmValueChange(session, target, {
    question: `${question} in ${environment.name}?`,
    confirmed: flags.confirm,
  })
  const { environments } = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress(`Saving the rules of ${key}`, () => call(confirmation)),
  )
  const stored = (await readPresentedValues(target)).values[key]
  output.document({ key, dryRun: false, environments, rules: stored?.rules ?? [] })
  const saved = environments[0]?.currentVersion
  output.result(`${output.styles.green('✓')} ${done}  ${environment.name} v${saved}`)
  if (!session.flags.json) showRules(output, stored)
}
