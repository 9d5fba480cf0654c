import type { ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FilterChip } from '../../components/filter-chip.tsx'
import { Panel } from '../../components/panel.tsx'
import { PlanRows } from './plan-rows.tsx'
import {
  countFilters,
  describeCounts,
  filterWords,
  isSelectable,
  narrowRows,
  planFilters,
  type PlanFilter,
} from './plan.ts'

interface PlanPanelProps {
  readonly title: string
  readonly plan: ImportPlan
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
}

/** Renders the plan, or what has become of it, narrowed by chips and by a text. */
export function PlanPanel({ title, plan, selected, onSelected }: PlanPanelProps) {
  const [filter, setFilter] = useState<PlanFilter>('all')
  const [text, setText] = useState('')
  const counts = countFilters(plan.keys)
  const rows = narrowRows(plan.keys, filter, text)
  const doneIn = plan.dryRun ? undefined : (plan.schemaId ?? undefined)
  return (
    <Panel title={title} flush>
      <div className="flex flex-col gap-3 border-b border-line p-4">
        <p>{describeCounts(plan)}</p>
        <div className="flex flex-wrap items-center gap-2">
          {planFilters
            .filter((one) => one === 'all' || counts[one] > 0)
            .map((one) => (
              <FilterChip
                key={one}
                label={`${filterWords[one]} ${counts[one]}`}
                isPressed={filter === one}
                onPress={() => setFilter(one)}
              />
            ))}
          <input
            type="search"
            aria-label="Filter by name"
            placeholder="Filter by name"
            className="control w-auto min-w-40"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        {doneIn === undefined && (
          <SelectAll rows={rows} selected={selected} onSelected={onSelected} />
        )}
      </div>
      {rows.length === 0 ? (
        <p className="p-4 text-muted">No key matches the filter.</p>
      ) : (
        <PlanRows
          rows={rows}
          doneIn={doneIn}
          selected={selected}
          onSelect={(key, isSelected) => {
            const others = [...selected].filter((one) => one !== key)
            onSelected(new Set(isSelected ? [...others, key] : others))
          }}
        />
      )}
    </Panel>
  )
}

interface SelectAllProps extends Pick<PlanPanelProps, 'selected' | 'onSelected'> {
  /** Holds the rows that are visible. The others stay as they are. */
  readonly rows: readonly PlannedKey[]
}

function SelectAll({ rows, selected, onSelected }: SelectAllProps) {
  const visible = rows.filter(isSelectable).map(({ key }) => key)
  if (visible.length < 2) return null
  const dropped = new Set(visible)
  const others = [...selected].filter((key) => !dropped.has(key))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={() => onSelected(new Set([...others, ...visible]))}>
        Select all {visible.length}
      </Button>
      <Button onClick={() => onSelected(new Set(others))}>Select none</Button>
    </div>
  )
}
