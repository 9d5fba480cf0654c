import { sameValue } from '@signalbox/contract'
import { defineCommand, type FlagValues } from '../../action.ts'
import type { StoredValue } from '../../api/operations.ts'
import { targetFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { getDefinitionPath } from '../../definition/find-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { describeState, describeValue, hasSameRules } from '../../values/describe-value.ts'
import { readValues } from '../../values/read-values.ts'
import { diffDefinitions } from '../../schema/definition-change.ts'
import { describeSecret, fingerprint } from '../../schema/fingerprint.ts'
import { fromPresentedKey } from '../../schema/full-key.ts'
import { renderDefinitionChanges, toChangeDocument } from '../../schema/render-plan.ts'
import type { Session } from '../../session.ts'
import { chooseSchemaName, openSchemaTarget, openTarget } from '../../target.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Output } from '../../terminal/output.ts'
import { renderTable } from '../../terminal/table.ts'
import { assertSound } from '../../check/print-check.ts'

const diffFlags = {
  ...targetFlags,
  against: textFlag('name', 'Compare the values of --env with those of this environment'),
  exitCode: switchFlag('Exit with 8 when there are differences'),
} as const

type DiffFlags = FlagValues<typeof diffFlags>

type DiffEnd = void | { readonly exitWith: number }

async function diff(session: Session, flags: DiffFlags): Promise<DiffEnd> {
  const count =
    flags.against === undefined
      ? await diffDefinition(session, flags)
      : await diffEnvironments(session, flags.env, flags.against)
  return flags.exitCode && count > 0 ? { exitWith: exitCodes.differences } : undefined
}

async function diffDefinition(session: Session, flags: DiffFlags): Promise<number> {
  const definition = await readDefinition(session, await getDefinitionPath(session))
  assertSound(session, definition)
  const { api, organization, environment } = await openTarget(session, flags.env)
  const name = await chooseSchemaName(session)
  const remote = await session.progress('Reading the schema', () =>
    api.findSchema(organization.id, name),
  )
  const before = new Map(
    Object.entries(remote?.schema ?? {}).map(([key, presented]) => [
      key,
      fromPresentedKey(presented),
    ]),
  )
  const changes = diffDefinitions(before, definition.keys)
  const { output } = session
  output.document({
    environment: environment.name,
    schema: name,
    exists: remote !== undefined,
    revision: remote?.revision ?? null,
    changes: changes.map(toChangeDocument),
  })
  if (remote === undefined) output.note(`The server does not have the schema ${name} yet.`)
  output.data(
    changes.length === 0
      ? `No differences between the definition and ${name} on the server.`
      : renderDefinitionChanges(changes, false, output),
  )
  return changes.length
}

interface Difference {
  readonly key: string
  readonly tier: string
  /** Shows the value in the environment of --env. */
  readonly mine: string
  /** Shows the value in the environment of --against. */
  readonly theirs: string
  readonly document: Record<string, unknown>
}

async function diffEnvironments(
  session: Session,
  env: string | undefined,
  against: string,
): Promise<number> {
  const target = await openSchemaTarget(session, env)
  const other = {
    ...target,
    environment: await target.api.environment(target.organization.id, against),
  }
  const [mine, theirs] = await session.progress('Reading both environments', () =>
    Promise.all([readValues(target), readValues(other)]),
  )
  const differences = Object.keys(target.schema.schema).flatMap((key) =>
    differenceOf(key, theirs.values[key], mine.values[key], target.api.token),
  )
  const { output } = session
  output.document({
    environment: target.environment.name,
    against: other.environment.name,
    differences: differences.map(({ document }) => document),
  })
  const names = [target.environment.name, other.environment.name] as const
  output.data(
    differences.length === 0
      ? `No differences between ${names[0]} and ${names[1]}.`
      : renderDifferences(differences, names, output),
  )
  return differences.length
}

/** Renders a column for each environment, in the order in which the command names them. */
function renderDifferences(
  differences: readonly Difference[],
  names: readonly [env: string, against: string],
  { styles, limit }: Pick<Output, 'limit' | 'styles'>,
): string {
  const { first, rest } = limit.cut(differences)
  const rows = first.map(({ tier, key, mine, theirs }) => [
    tier === 'featureFlags' ? 'flag' : tier,
    key,
    mine,
    theirs,
  ])
  const table = renderTable([['', '', ...names].map(styles.bold), ...rows], '  ')
  return [table, ...rest.map((line) => `  ${line}`)].join('\n')
}

function differenceOf(
  key: string,
  before: StoredValue | undefined,
  after: StoredValue | undefined,
  token: string,
): Difference[] {
  const isRuled = !hasSameRules(before, after)
  if (!isRuled && sameValue(before?.value, after?.value) && isShown(before) && isShown(after))
    return []
  const render = isRuled ? describeState : describeValue
  const tier = after?.tier ?? before?.tier ?? 'public'
  return [
    {
      key,
      tier,
      mine: renderValue(after, token, render),
      theirs: renderValue(before, token, render),
      document: { key, tier, before: documentOf(before, token), after: documentOf(after, token) },
    },
  ]
}

/** Returns whether the token may see a value. A hidden one may differ. */
function isShown(value: StoredValue | undefined): boolean {
  return value === undefined || value.value !== undefined || value.source === 'missing'
}

function renderValue(
  value: StoredValue | undefined,
  token: string,
  render: (value: StoredValue) => string,
): string {
  if (value?.value === undefined) return isShown(value) ? 'no value' : 'hidden'
  if (value.tier === 'secret') return describeSecret(token, value.value)
  return render(value)
}

function documentOf(value: StoredValue | undefined, token: string): unknown {
  if (value?.value === undefined) return isShown(value) ? null : { hidden: true }
  return value.tier === 'secret'
    ? { fingerprint: fingerprint(token, value.value) }
    : { value: value.value, ...(value.rules && { rules: value.rules }) }
}

/** Defines `signalbox diff`. */
export const diffCommand = defineCommand({
  about:
    'Shows what a push would change. With --against: shows the values and rules that differ between two environments, in a column for each; secrets as fingerprints.',
  examples: [
    'signalbox diff --env staging --exit-code',
    'signalbox diff --env production --against staging',
  ],
  flags: diffFlags,
  run: diff,
})
