import { Power } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { useCellOf } from '../cell-store.ts'
import type { GridModel } from '../grid/grid-model.ts'
import { toCellId, type CellRef } from '../matrix.ts'
import { isOnForAnyone } from './kill-edits.ts'

interface KillSwitchProps {
  readonly cellRef: CellRef
  readonly model: GridModel
  readonly isLocked?: boolean
  /** Sets the tab order. `-1`: another way leads to it, as in a grid. */
  readonly tabIndex?: number
}

/** Renders the button of a kill switch: off acts immediately, on is staged and reviewed. What is staged waits for its review. */
export function KillSwitch({ cellRef, model, isLocked = false, tabIndex }: KillSwitchProps) {
  const { row, cell, environment } = cellRef
  const id = toCellId(environment.id, row.key)
  const note = useCellOf(model.notes, id)
  const isStaged = useCellOf(model.staged, id) !== undefined
  if (!model.may('writeValues', environment.id)) return null
  const isOn = isOnForAnyone(cell)
  const label = isOn ? 'Turn off' : isStaged ? 'Review' : 'Turn on'
  const cellName = `${row.key} in ${environment.name}`
  return (
    <span className="ml-auto shrink-0">
      <Button
        variant={isOn ? 'danger' : 'plain'}
        icon={Power}
        pending={note?.isTurning === true}
        disabled={isLocked}
        tabIndex={tabIndex}
        aria-label={`${label} ${cellName}${label === 'Turn on' ? ', after a review' : ''}`}
        title={isOn ? `Off for everyone in ${environment.name}, immediately` : 'Opens the review'}
        onClick={(event) => {
          event.stopPropagation()
          model.turnKillSwitch(cellRef)
        }}
      >
        {isOn ? label : `${label}…`}
      </Button>
    </span>
  )
}
