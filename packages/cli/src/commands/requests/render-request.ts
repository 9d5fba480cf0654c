import type { ChangeEffect } from '@signalbox/contract/rest'
import type { ChangeRequest, ChangeRequestSummary, ValueChange } from '../../api/operations.ts'
import { countApprovals, describeState, nameRequest } from '../../api/requests/describe-request.ts'
import { renderValueChanges } from '../../changes/render-changes.ts'
import type { Output } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'

/** Returns the cells of a request in the list. */
export function rowOf(request: ChangeRequestSummary, styles: Styles): readonly string[] {
  const { number, title, state, author, createdAt } = request
  return [
    String(number),
    colorOf(state, styles)(state),
    printable(title),
    printable(author.name),
    countApprovals(request),
    createdAt.slice(0, 10),
  ]
}

function colorOf(state: ChangeRequestSummary['state'], { green, yellow, red, dim }: Styles) {
  if (state === 'open' || state === 'scheduled') return yellow
  if (state === 'approved' || state === 'applied') return green
  return state === 'declined' || state === 'failed' ? red : dim
}

/** Returns a request as people read it: its state, what it changes, and what was said about it. */
export function renderRequest(output: Output, request: ChangeRequest, page: string): string {
  const { title, reason, author, revision, createdAt, failure, conflict, overriddenBy } = request
  const { bold, red } = output.styles
  const ofRevision = revision > 1 ? `, revision ${revision}` : ''
  return [
    bold(printable(title)),
    `  ${nameRequest(request)} ${describeState(request)}. By ${printable(author.name)}, ${createdAt.slice(0, 16).replace('T', ' ')}Z${ofRevision}`,
    ...(reason === '' ? [] : [`  ${printable(reason)}`]),
    ...(failure === undefined ? [] : [`  ${red(printable(failure.detail))}`]),
    ...(overriddenBy === undefined
      ? []
      : [
          `  Applied without its approvals by ${printable(overriddenBy.member.name)}: ${printable(overriddenBy.comment)}`,
        ]),
    `  Approvals: ${countApprovals(request)}`,
    ...renderEffects(output, request.effects),
    ...(conflict ?? []).map(
      ({ environment, key, by }) =>
        `  ${red('conflict')} ${printable(environment)}: ${printable(by?.name ?? 'somebody else')} has changed ${printable(key ?? 'the environment')}`,
    ),
    ...request.reviews.map(
      ({ member, verdict, text, counts }) =>
        `  ${reviewWords[verdict]} ${printable(member.name)}${counts || verdict === 'comment' ? '' : ' (no longer counts)'}${text === '' ? '' : `: ${printable(text)}`}`,
    ),
    `  ${page}`,
  ].join('\n')
}

const reviewWords = {
  approve: 'approved by',
  decline: 'declined by',
  comment: 'comment of',
} as const

function renderEffects(output: Output, effects: readonly ChangeEffect[]): string[] {
  const byEnvironment = Map.groupBy(effects, ({ environment, schema }) =>
    schema === null ? printable(environment) : `${printable(environment)} · ${printable(schema)}`,
  )
  return [...byEnvironment].flatMap(([name, all]) => {
    const changes = all.flatMap(toValueChange)
    const others = all.filter(({ key }) => key === null)
    return [
      `  ${name}`,
      ...others.map((effect) => `    ${describeWhole(effect)}`),
      ...(changes.length === 0 ? [] : [renderValueChanges(changes, output)]),
    ]
  })
}

/** Returns an effect as the change of a value. A secret has none to show. */
function toValueChange({ key, tier, before, after, segments }: ChangeEffect): ValueChange[] {
  if (key === null || tier === null) return []
  return [
    {
      key,
      tier,
      change: before === null ? 'added' : after === null ? 'removed' : 'changed',
      before: before?.value,
      after: after?.value,
      rulesBefore: before?.rules,
      rulesAfter: after?.rules,
      segments,
    },
  ]
}

/** Says what happens to an environment or a schema as a whole. */
function describeWhole({ schemaId, before, after }: ChangeEffect): string {
  const noun = schemaId === null ? 'the environment' : 'the schema'
  if (after === null) return `deletes ${noun}`
  if (before?.name !== undefined && after.name !== undefined && before.name !== after.name)
    return `renames ${noun}: ${printable(before.name)} → ${printable(after.name)}`
  return `changes ${noun} itself`
}
