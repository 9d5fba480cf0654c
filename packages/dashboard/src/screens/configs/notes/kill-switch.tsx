import { Switch } from '../../../components/switch.tsx'
import { useCellOf } from '../cell-store.ts'
import type { GridModel } from '../grid/grid-model.ts'
import { isOn } from '../grid/use-grid-keyboard.ts'
import { toCellId, type CellRef } from '../matrix.ts'

interface KillSwitchProps {
  readonly cellRef: CellRef
  readonly model: GridModel
  readonly isLocked: boolean
}

/** Renders the switch that turns a flag in one environment by one press. */
export function KillSwitch({ cellRef, model, isLocked }: KillSwitchProps) {
  const { row, environment } = cellRef
  const id = toCellId(environment.id, row.key)
  const change = useCellOf(model.staged, id)
  // Read so that a press is seen before it is saved.
  useCellOf(model.notes, id)
  return (
    <span className="shrink-0 px-3">
      <Switch
        label={`Kill switch in ${environment.name}`}
        checked={isOn(model, cellRef)}
        staged={change !== undefined}
        disabled={isLocked || !model.mayWrite}
        onChange={(checked) => model.turnNow(cellRef, checked)}
      />
    </span>
  )
}
