import { describeRule, type FlagRule } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import type { StoredValue } from '../../api/operations.ts'
import { confirmValueChange } from '../../changes/confirm.ts'
import { type Confirmation, confirmationFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { renderValueChanges } from '../../changes/render-changes.ts'
import { switchFlag, targetFlags, textFlag } from '../../cli-context.ts'
import { readJsonFile } from '../../project/json.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { describeValue } from '../../values/describe-value.ts'
import { readPresentedValues } from '../../values/read-values.ts'
import { requireKey } from './get.ts'

const rulesFlags = {
  ...targetFlags,
  file: textFlag('path', 'JSON file with the rules that replace those of the environment'),
  allowPlain: switchFlag('Store them although they have the form of a credential: it is no secret'),
  ...confirmationFlags,
} as const

type RulesFlags = FlagValues<typeof rulesFlags>
type Rules = NonNullable<StoredValue['rules']>

async function rules(session: Session, flags: RulesFlags, name: string): Promise<void> {
  const target = await openSchemaTarget(session, flags.env)
  const key = requireKey(target, name)
  const stored = (await readPresentedValues(target)).values[key]
  if (flags.file === undefined) return show(session, target, key, stored)
  await replace(session, flags, target, { key, rules: await readRules(session, flags.file) })
}

/** Prints the rules in their order, and who gets the value of the environment. */
function show(
  { output }: Session,
  { environment }: SchemaTarget,
  key: string,
  stored: StoredValue | undefined,
): void {
  const list: readonly FlagRule[] = stored?.rules ?? []
  output.document({ key, environment: environment.name, value: stored?.value, rules: list })
  const rows = list.map((rule, index) => [
    `${index + 1}.`,
    printable(rule.description ?? ''),
    printable(describeRule(rule)),
    output.styles.dim(rule.id ?? ''),
  ])
  const rest = stored?.value === undefined ? 'no value' : describeValue({ ...stored, rules: [] })
  const others = list.length === 0 ? 'Everyone' : 'Everyone else'
  output.data([...(rows.length > 0 ? [renderTable(rows)] : []), `${others}: ${rest}`].join('\n'))
}

async function replace(
  session: Session,
  flags: RulesFlags,
  target: SchemaTarget,
  { key, rules: list }: { readonly key: string; readonly rules: Rules },
): Promise<void> {
  const { output } = session
  const { api, environment, organization, schema } = target
  const call = (of: Confirmation & { readonly dryRun?: true }) =>
    api.call('changeConfig', {
      params: { org_id: organization.id },
      body: {
        schemaId: schema.id,
        changes: [{ environmentId: environment.id, rules: { [key]: list } }],
        ...(flags.allowPlain === true && { allowPlain: [key] }),
        ...of,
      },
    })
  const plan = await session.progress('Comparing', () => call({ dryRun: true }))
  const [problem] = plan.problems
  if (problem !== undefined) {
    throw new CliError('validation', problem.code, `${problem.pointer}: ${problem.detail}`)
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
    question: `Replace the rules of ${key} in ${environment.name}?`,
    confirmed: flags.confirm,
  })
  const { environments } = await sendConfirmed(session, flags, typed, (confirmation) =>
    session.progress(`Saving the rules of ${key}`, () => call(confirmation)),
  )
  output.document({ key, dryRun: false, environments })
  const version = environments[0]?.currentVersion
  output.result(
    `${output.styles.green('✓')} Replaced the rules of ${key}  ${environment.name} v${version}`,
  )
}

/** Reads a list of rules, or what `rules --json` prints. */
async function readRules(session: Session, file: string): Promise<Rules> {
  const list = findRules(await readJsonFile(session, file))
  if (list !== undefined) return list
  throw new CliError('usage', 'invalid_rules', `${file} is no JSON list of rules.`, {
    advice: `Write it like this: ${JSON.stringify(example)}`,
  })
}

const example = [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: { value: 50 } },
]

function findRules(content: unknown): Rules | undefined {
  const list = Array.isArray(content) ? content : Object(content).rules
  // The server checks the rules, and points at each violation.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(list) ? (list as Rules) : undefined
}

/** Defines `signalbox rules`. */
export const rulesCommand = defineCommand({
  about:
    'Shows the rules of a flag or a targeted key in an environment, in their order. With --file it replaces them: it shows who gets what afterwards, asks, and saves. An empty list removes them.',
  examples: [
    'signalbox rules maxTokens --env production',
    'signalbox rules maxTokens --env production --json > rules.json',
    'signalbox rules maxTokens --env production --file rules.json --dry-run',
  ],
  flags: rulesFlags,
  args: [{ brief: 'Name of the flag or the targeted key', placeholder: 'key' }],
  run: rules,
})
