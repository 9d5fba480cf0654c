import {
  describeFlag,
  describeMovedSource,
  hasRuledKey,
  type ChangeSource,
} from '@signalbox/contract'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import type { AnswerOf } from '../../../api/routes.ts'
import { tierIcons } from '../grid/key-cell.tsx'
import { SegmentChange } from '../segments/segment-change.tsx'
import { toValueText } from '../matrix.ts'
import { FlagDiff } from '../rules/flag-diff.tsx'
import { ValueDiff } from './value-diff.tsx'

/** Describes the change of one key in a version. */
export type ValueChange =
  AnswerOf<'GET /organizations/{org_id}/config-versions/{version_id}'>['changes'][number]

const tones: Readonly<Record<ValueChange['change'], Tone>> = {
  added: 'ok',
  changed: 'neutral',
  removed: 'warn',
}

/** Explains changes of old versions that applications did not notice. Newer versions record the value and its sources. */
const unseen: Readonly<Record<ValueChange['change'], string>> = {
  added: 'Now set here, same value for applications.',
  changed: 'Same value for applications.',
  removed: 'No longer set here, same value for applications.',
}

interface ChangeListProps {
  readonly label: string
  readonly changes: readonly ValueChange[]
  /** Holds the text for no changes. */
  readonly empty: string
  /** Holds the moment of the changes. Absent: they are not made yet. */
  readonly at?: string
  /** Renders what can be done about one change. */
  readonly actionOf?: (change: ValueChange) => ReactNode
}

/** Renders the changes by key. For a secret it shows only that it changed. */
export function ChangeList({ label, changes, empty, at, actionOf }: ChangeListProps) {
  if (changes.length === 0) return <p className="text-muted">{empty}</p>
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line">
      {changes.map((change) => (
        <ChangeView key={change.key} change={change} at={at} action={actionOf?.(change)} />
      ))}
    </ul>
  )
}

interface ChangeViewProps {
  readonly change: ValueChange
  readonly at: string | undefined
  readonly action: ReactNode
}

function ChangeView({ change: valueChange, at, action }: ChangeViewProps) {
  const { key, tier, change } = valueChange
  const Icon = tierIcons[tier]
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <div className="flex min-w-0 flex-[1_1_18rem] items-center gap-2">
          <Icon aria-hidden size={14} className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1 font-mono break-all">{key}</span>
          <Badge tone={tones[change]}>{change}</Badge>
        </div>
        {action !== undefined && <div className="ml-auto min-w-0">{action}</div>}
      </div>
      <Values change={valueChange} at={at} />
    </li>
  )
}

function Values({ change: valueChange, at }: Pick<ChangeViewProps, 'change' | 'at'>) {
  const { tier, change, before, after, rulesBefore, rulesAfter, segments = [] } = valueChange
  if (segments.length > 0 && at !== undefined) {
    return (
      <>
        {segments.map((name) => (
          <SegmentChange key={name} name={name} at={at} />
        ))}
        <p className="text-sm text-muted">{describeFlag({ value: after, rules: rulesAfter })}</p>
      </>
    )
  }
  const moved = describeMove(valueChange)
  if (moved !== undefined) {
    return (
      <p className="text-[0.93rem] wrap-anywhere">
        {moved}. <span className="text-muted">Applications keep the value that they had.</span>
      </p>
    )
  }
  if (tier !== 'secret' && before === undefined && after === undefined)
    return <p className="text-sm text-muted">{unseen[change]}</p>
  return (
    <>
      {tier === 'secret' ? (
        <p className="text-sm text-muted">Secret values (hidden)</p>
      ) : hasRuledKey(valueChange) ? (
        <FlagDiff
          before={{ value: before, rules: rulesBefore }}
          after={{ value: after, rules: rulesAfter }}
        />
      ) : (
        <ValueDiff before={before} after={after} />
      )}
      <Sources change={valueChange} />
    </>
  )
}

/** Returns the words for a change that moves the source of a value and leaves the value as it was. */
function describeMove(valueChange: ValueChange): string | undefined {
  const { after, rulesAfter } = valueChange
  if (after === undefined) return undefined
  const text = hasRuledKey(valueChange)
    ? describeFlag({ value: after, rules: rulesAfter })
    : toShown(after)
  return describeMovedSource(valueChange, text)
}

function toShown(value: NonNullable<ValueChange['after']>): string {
  return value === '' ? '""' : toValueText(value)
}

/** Says where the value came from and comes from, where that is not the same. */
function Sources({ change: { sourceBefore, sourceAfter } }: { readonly change: ValueChange }) {
  if (sourceBefore === undefined || sourceAfter === undefined) return null
  const [was, is] = [sourceBefore, sourceAfter].map(describeSource)
  return was === is ? null : (
    <p className="text-sm wrap-anywhere text-muted">
      Before: {was}. Now: {is}.
    </p>
  )
}

function describeSource({ source, environment }: ChangeSource): string {
  if (source === 'default') return 'the default'
  return source === 'set' ? 'set here' : `inherited from ${environment ?? 'the parent'}`
}
