import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { tierIcons } from '../configs/grid/key-cell.tsx'
import { FlagDiff } from '../configs/rules/flag-diff.tsx'
import { useSignals } from '../proofs/use-signals.ts'
import { ValueDiff } from '../configs/review/value-diff.tsx'
import {
  describeSecret,
  describeWhole,
  isRuled,
  isSecret,
  listNotes,
  type Effect,
} from './describe-effect.ts'

interface EffectListProps {
  readonly effects: readonly Effect[]
}

/** Lists what readers get before and after, by environment. Secrets are compared by their marks, and never shown. */
export function EffectList({ effects }: EffectListProps) {
  if (effects.length === 0) return <p className="text-muted">Nothing changes for readers.</p>
  const groups = Map.groupBy(effects, ({ environmentId }) => environmentId)
  return (
    <div className="flex flex-col gap-4">
      {[...groups].map(([environmentId, list]) => (
        <section key={environmentId} className="flex flex-col gap-2">
          <h3 className="font-semibold wrap-anywhere">
            <bdi>{list[0]?.environment}</bdi>
          </h3>
          <ul
            aria-label={`Changes in ${list[0]?.environment ?? ''}`}
            className="divide-y divide-line rounded-lg border border-line"
          >
            {list.map((effect) => (
              <EffectItem
                key={`${effect.schemaId ?? ''} ${effect.key ?? ''} ${effect.tier ?? ''}`}
                effect={effect}
                effects={effects}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface EffectItemProps {
  readonly effect: Effect
  /** Lists all effects of the request, to compare secrets. */
  readonly effects: readonly Effect[]
}

function EffectItem({ effect, effects }: EffectItemProps) {
  return (
    <li className={`flex flex-col gap-1 px-3 py-2 ${effect.free ? 'text-muted' : ''}`}>
      <EffectTitle effect={effect} />
      <Difference effect={effect} effects={effects} />
      {listNotes(effect).map((note) => (
        <p key={note} className="text-sm wrap-anywhere text-muted">
          {note}
        </p>
      ))}
    </li>
  )
}

function EffectTitle({ effect }: Pick<EffectItemProps, 'effect'>) {
  const { schema, key, tier, returns, free } = effect
  const Icon = tier === null ? undefined : tierIcons[tier]
  return (
    <div className="flex flex-wrap items-center gap-2">
      {Icon && <Icon aria-hidden size={14} className="shrink-0 text-muted" />}
      <span className="min-w-0 font-mono wrap-anywhere">{key ?? schema ?? 'Environment'}</span>
      {key !== null && schema !== null && (
        <span className="min-w-0 text-sm wrap-anywhere text-muted">{schema}</span>
      )}
      {free && <Badge>needs no approval</Badge>}
      {returns && <Badge tone="warn">returns</Badge>}
    </div>
  )
}

function Line({ children }: { readonly children: ReactNode }) {
  return <p className="wrap-anywhere">{children}</p>
}

function Whole({ effect }: Pick<EffectItemProps, 'effect'>) {
  const { nameOf } = useSignals()
  return describeWhole(effect, nameOf).map((line) => <Line key={line}>{line}</Line>)
}

function Difference({ effect, effects }: EffectItemProps) {
  const { key, before, after } = effect
  if (key === null) return <Whole effect={effect} />
  if (isSecret(effect)) return <Line>{describeSecret(effect, effects)}</Line>
  return isRuled(effect) ? (
    <FlagDiff before={before ?? {}} after={after ?? {}} />
  ) : (
    <ValueDiff before={before?.value} after={after?.value} />
  )
}
