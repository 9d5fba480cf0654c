import { describeSegmentGroup } from '@signalbox/contract'
import type { Answer } from '../../api/operations.ts'
import type { Output } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'

/** Describes a segment with its groups and the flags that use it. */
type Segment = Answer<'getSegment'>

/** Describes a change of a segment, and the flags that change with it. */
interface ReviewedChange extends Pick<Segment, 'anyOf' | 'description'> {
  readonly environments: Answer<'replaceSegment'>['environments']
}

/** Renders a segment: who is in it, and the flags that use it. */
export function renderSegment({ styles }: Output, segment: Segment): string {
  const { name, version, description, anyOf, uses, usesTotal } = segment
  const groups = anyOf.map(
    (group, at) => `  ${at === 0 ? '' : 'or '}${printable(describeSegmentGroup(group))}`,
  )
  const more = usesTotal - uses.length
  const users = uses.map(({ flag, environment, schema }) => [`  ${flag}`, environment, schema])
  return [
    `${styles.bold(name)}  version ${version}${description === '' ? '' : `  ${printable(description)}`}`,
    styles.dim('Who is in it'),
    ...groups,
    styles.dim('Used by'),
    users.length === 0 ? '  no flag' : renderTable(users),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}

/** Renders what a change of a segment changes: its groups and its description, and every flag that uses it. */
export function renderReview({ styles }: Output, before: Segment, after: ReviewedChange): string {
  const [old, next] = [before.anyOf, after.anyOf].map(
    (groups) => new Set(groups.map(describeSegmentGroup)),
  )
  const removed = [...(old ?? [])].filter((text) => next?.has(text) !== true)
  const added = [...(next ?? [])].filter((text) => old?.has(text) !== true)
  const flags = after.environments.map(({ environment, schema, flags: names }) => [
    `  ${environment}`,
    schema,
    names.join(' '),
  ])
  return [
    ...removed.map((text) => styles.red(`- ${printable(text)}`)),
    ...added.map((text) => styles.green(`+ ${printable(text)}`)),
    ...(before.description === after.description
      ? []
      : [`description: ${printable(before.description)} → ${printable(after.description)}`]),
    ...(flags.length === 0
      ? ['No flag changes. Applications aren’t affected.']
      : ['Flags that change:', renderTable(flags)]),
  ].join('\n')
}
