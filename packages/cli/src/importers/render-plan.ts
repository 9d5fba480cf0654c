import type { ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import type { Limit } from '../terminal/limit.ts'

/** Adds the counts of the parts of an import. */
export function joinPlans(plans: readonly ImportPlan[]): ImportPlan | undefined {
  const [first, ...rest] = plans
  if (first === undefined) return undefined
  return rest.reduce(
    (sum, plan) => ({
      ...plan,
      schemaId: sum.schemaId ?? plan.schemaId,
      counts: addCounts(sum.counts, plan.counts),
      keys: [...sum.keys, ...plan.keys],
      requires: [
        ...sum.requires,
        ...plan.requires.filter(
          (one) => !sum.requires.some(({ environmentId }) => environmentId === one.environmentId),
        ),
      ],
    }),
    first,
  )
}

function addCounts(one: ImportPlan['counts'], other: ImportPlan['counts']): ImportPlan['counts'] {
  return {
    exact: one.exact + other.exact,
    differs: one.differs + other.differs,
    leftOut: one.leftOut + other.leftOut,
    create: one.create + other.create,
    update: one.update + other.update,
    unchanged: one.unchanged + other.unchanged,
    skip: one.skip + other.skip,
    failed: one.failed + other.failed,
  }
}

const words: Readonly<Record<PlannedKey['action'], string>> = {
  create: 'new',
  update: 'changes',
  unchanged: 'unchanged',
  skip: 'exists and differs: skipped (name it with --update)',
  failed: 'fails',
  none: 'left out',
}

function describeAction(
  verdict: PlannedKey['verdict'],
  action: PlannedKey['action'],
  values: number,
): string {
  if (action === 'none') return verdict
  return `${verdict}, ${words[action]}${action === 'create' && values === 0 ? ', value missing' : ''}`
}

/** Describes what happens to a key without its name, as the end of a line and the lines below. */
function describeKey({
  key,
  variable,
  verdict,
  action,
  environments,
  issues,
  problems,
}: PlannedKey): [end: string, ...below: string[]] {
  const lacking = environments.filter(({ state }) => state === 'missing environment')
  const off = environments.filter(({ state }) => state === 'turned off')
  const named = variable === undefined ? '' : `, variable ${variable}`
  return [
    `  ${describeAction(verdict, action, environments.length)}${named}`,
    ...lacking.map(
      ({ environment }) =>
        `  HIGH IM-E001 There is no environment ${environment}. Its value is left out. Create it, or name ours: --map ${environment}=<name>.`,
    ),
    ...off.map(
      ({ environment }) =>
        `  It stays turned off in ${environment}. To import it there, turn it on first: signalbox turn on ${key} --env ${environment}`,
    ),
    ...issues.map(
      ({ code, severity, cause, done }) => `  ${severity.toUpperCase()} ${code} ${cause} ${done}`,
    ),
    ...problems.map((problem) => `  ${problem}`),
  ]
}

/**
 * Returns the plan in lines: each key with its verdict, its issues and its problems, then the counts. Keys with the same
 * issues share their lines. The limit never leaves out an issue.
 */
export function renderPlan({ keys, counts }: ImportPlan, limit: Limit): string[] {
  const entries = new Map<string, { names: string[]; end: string; below: string[] }>()
  for (const key of keys) {
    const [end, ...below] = describeKey(key)
    const name = key.from === key.key ? key.key : `${key.key} (${key.from})`
    const said = below.length === 0 ? name : [end, ...below].join('\n')
    const entry = entries.get(said) ?? { names: [], end, below }
    entries.set(said, { ...entry, names: [...entry.names, name] })
  }
  const plain = [...entries.values()].filter(({ below }) => below.length === 0)
  const { first, rest } = limit.cut(plain, ({ end }) => end.trim())
  const isShown = new Set(first)
  const lines = [...entries.values()].flatMap((entry) =>
    entry.below.length > 0 || isShown.has(entry)
      ? [`${limit.join(entry.names)}${entry.end}`, ...entry.below]
      : [],
  )
  const { exact, differs, leftOut, create, update, unchanged, skip, failed } = counts
  return [
    ...lines,
    ...rest,
    '',
    `${exact} exact, ${differs} differ, ${leftOut} left out. ${create} new, ${update} to change, ${unchanged} unchanged, ${skip} skipped, ${failed} fail.`,
  ]
}

/** Lists the codes of HIGH issues that nobody accepted, each once. */
export function listUnaccepted({ keys }: ImportPlan, accepted: readonly string[]): string[] {
  const codes = keys.flatMap(({ issues, environments, action }) => [
    ...issues.filter(({ severity }) => severity === 'high').map(({ code }) => code),
    ...environments.filter(({ state }) => state === 'missing environment').map(() => 'IM-E001'),
    ...(action === 'failed' ? ['IM-E002'] : []),
  ])
  return [...new Set(codes)].filter((code) => !accepted.includes(code)).toSorted()
}
