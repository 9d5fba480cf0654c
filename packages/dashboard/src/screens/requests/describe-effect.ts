import { hasRuledKey } from '@signalbox/contract'
import { describeTerms, type NameOf } from '../proofs/describe-terms.ts'
import type { ChangeRequest } from './describe-request.ts'

/** Describes what a request changes for the readers of one environment. */
export type Effect = ChangeRequest['effects'][number]

type Described = Pick<Effect, 'key' | 'schema' | 'environment' | 'before' | 'after'>

/** Returns whether a key is shown with its rules. */
export function isRuled({ tier, before, after }: Effect): boolean {
  return (
    tier !== null && hasRuledKey({ tier, rulesBefore: before?.rules, rulesAfter: after?.rules })
  )
}

/** Returns whether a value is hidden, because it is a secret, was one, or becomes one. */
export function isSecret({ tier, before, after }: Pick<Effect, 'tier' | 'before' | 'after'>) {
  return tier === 'secret' || before?.secret === true || after?.secret === true
}

/** Returns what happens to an environment or a schema as a whole, a line for each thing. `nameOf` names a signal. */
export function describeWhole(
  { schema, before, after }: Described,
  nameOf: NameOf,
): readonly string[] {
  if (after?.signal !== undefined) return describeSignalChange(before?.signal, after.signal)
  const noun = schema === null ? 'environment' : 'schema'
  if (after === null) return [`The ${noun} is deleted, with its values.`]
  const lines = [
    describeRename(noun, before?.name, after.name),
    describeParents(before?.parent, after.parent),
  ].filter((line) => line !== undefined)
  return before?.protection && after.protection
    ? [...lines, ...describeWeakened(before.protection, after.protection, nameOf)]
    : lines
}

type SignalSide = NonNullable<NonNullable<Effect['after']>['signal']>

/** Says what a signal becomes. Where it reads is no news for those who write nothing there. */
function describeSignalChange(was: SignalSide | undefined, is: SignalSide): readonly string[] {
  const what = is.spec === null ? 'is changed' : `${was?.spec ?? 'nothing'} → ${is.spec}`
  return [
    is.spec === null ? `The signal ${is.name} ${what}.` : `The signal ${is.name}: ${what}`,
    ...(was === undefined || was.name === is.name ? [] : [`Its name was ${was.name}.`]),
  ]
}

function describeRename(noun: string, was: string | undefined, is: string | undefined) {
  if (was === is) return undefined
  return `The ${noun} is renamed from ${was} to ${is}. Programs that read it by its name stop finding it.`
}

type Parent = NonNullable<Effect['after']>['parent']

function describeParents(was: Parent, is: Parent): string | undefined {
  return was === is ? undefined : `Inherits from: ${was ?? 'nothing'} → ${is ?? 'nothing'}`
}

type Protection = NonNullable<NonNullable<Effect['after']>['protection']>

const yesOrNo = (isOn: boolean) => (isOn ? 'yes' : 'no')

/** Maps each member of a protection to its name and the words for its value. */
const members: {
  readonly [Name in keyof Protection]: [string, (of: Protection, nameOf: NameOf) => string]
} = {
  confirm: ['Typing its name', ({ confirm }) => yesOrNo(confirm)],
  comment: ['A comment', ({ comment }) => yesOrNo(comment)],
  approvals: ['Approvals', ({ approvals }) => String(approvals)],
  approvers: [
    'Who may approve',
    ({ approvers }) =>
      'roles' in approvers
        ? approvers.roles.join(', ')
        : `${approvers.members.length} named members`,
  ],
  declineBlocks: ['A decline holds a request up', ({ declineBlocks }) => yesOrNo(declineBlocks)],
  override: ['Who may apply without approvals', ({ override }) => override],
  killSwitches: ['Turning a kill switch off', ({ killSwitches }) => killSwitches],
  prove: ['Watching every change', ({ prove }, nameOf) => describeTerms(prove, nameOf)],
}

function describeWeakened(
  before: Protection,
  after: Protection,
  nameOf: NameOf,
): readonly string[] {
  return Object.values(members).flatMap(([name, toWords]) => {
    const [was, is] = [toWords(before, nameOf), toWords(after, nameOf)]
    return was === is ? [] : [`${name}: ${was} → ${is}`]
  })
}

type SecretEffect = Pick<Effect, 'environment' | 'before' | 'after'>

/**
 * Returns what happens to a secret, without its value. Equal marks of one request are equal values, so it names the other
 * environments that get the same one.
 */
export function describeSecret(
  { environment, before, after }: SecretEffect,
  all: readonly SecretEffect[],
): string {
  if (after === null) return 'A secret is removed.'
  const { mark } = after
  const isSame = mark !== undefined && mark === before?.mark
  const others = all
    .filter((one) => mark !== undefined && one.environment !== environment)
    .filter((one) => one.after?.mark === mark || one.before?.mark === mark)
    .map((one) => one.environment)
  const what = isSame
    ? 'A secret keeps its value'
    : before === null
      ? 'A secret gets its first value'
      : 'A secret changes'
  return others.length === 0
    ? `${what}.`
    : `${what}: the same value as in ${[...new Set(others)].join(', ')}.`
}

/** Lists what a reader of an effect cannot see in its values. */
export function listNotes({
  after,
  source,
  returns,
  segments = [],
}: Pick<Effect, 'after' | 'source' | 'returns' | 'segments'>): readonly string[] {
  const origin = describeOrigin(after, source)
  return [
    ...(segments.length > 0 ? [`The rules stay. Who is in ${segments.join(', ')} changes.`] : []),
    ...(returns ? ['This value is stored from an earlier time, and comes back.'] : []),
    ...(origin === undefined ? [] : [origin]),
  ]
}

/** Says where a value comes from afterwards, where the environment does not set it itself. */
function describeOrigin(after: Effect['after'], source: Effect['source']): string | undefined {
  if (source === null || source.source === 'set') return undefined
  const from =
    source.source === 'default'
      ? 'It is the default of the schema'
      : `It is inherited from ${source.environment ?? 'the parent'}`
  return after === null ? `${from} until then.` : `${from}.`
}
