import { useState } from 'react'
import { takesRules, type ConfigValue } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { Checkbox, SelectField } from '../../../components/field.tsx'
import { LongText } from '../../../components/long-text.tsx'
import type { FlagRules, Matrix, MatrixCell, MatrixKey } from '../matrix.ts'
import { notWritable, type GridModel } from '../grid/grid-model.ts'
import { toStaged, type Edit } from '../staged.ts'
import { describeContent, describeCopy } from './describe-copy.ts'

interface CopyDialogProps {
  readonly matrix: Matrix
  readonly row: MatrixKey
  /** Holds the environment in which the dialog was opened. */
  readonly from: string | undefined
  readonly model: GridModel
  readonly onClose: () => void
}

/** Stages the value of a key for other environments, and shows the value that it replaces in each. */
export function CopyDialog({ matrix, row, from, model, onClose }: CopyDialogProps) {
  const { environments } = matrix
  const [fromId, setFromId] = useState(from ?? environments[0]?.id ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const source = row.cells[environments.findIndex(({ id }) => id === fromId)] ?? noContent
  const { value, rules = [] } = source
  const targets = environments.flatMap((environment, at) => {
    const cell = row.cells[at]
    return environment.id === fromId || cell === undefined ? [] : [{ environment, cell }]
  })

  const copy = () => {
    if (value === undefined) return
    const edit = toEdit(row, value, rules)
    const into = targets.filter(({ environment }) => chosen.has(environment.id))
    model.staged.put(into.flatMap((cellRef) => toStaged({ row, ...cellRef }, edit) ?? []))
    onClose()
  }
  return (
    <Dialog
      title={`Copy ${row.key}`}
      description="The copies are staged. Nothing is live until you review and save."
      onClose={onClose}
    >
      <SelectField label="From" value={fromId} onChange={({ target }) => setFromId(target.value)}>
        {environments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <p className="rounded bg-raised px-3 py-2 font-mono break-all">
        <LongText text={describeContent(row.tier, source)} />
      </p>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">To</legend>
        {targets.map(({ environment: { id, name }, cell }) => (
          <Target
            key={id}
            name={name}
            help={describeCopy(row.tier, source, cell)}
            mayWrite={model.may('writeValues', id)}
            isChosen={chosen.has(id)}
            onChoose={(isChosen) => setChosen((before) => withChoice(before, id, isChosen))}
          />
        ))}
      </fieldset>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabled={chosen.size === 0 || value === undefined}
          onClick={copy}
        >
          {toLabel(chosen.size)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface TargetProps {
  readonly name: string
  readonly help: string
  readonly mayWrite: boolean
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

/** Offers an environment to copy to, where the person may write. */
function Target({ name, help, mayWrite, isChosen, onChoose }: TargetProps) {
  return (
    <Checkbox
      label={name}
      help={<span className="line-clamp-3">{mayWrite ? help : notWritable}</span>}
      disabled={!mayWrite}
      checked={isChosen}
      onChange={({ target }) => onChoose(target.checked)}
    />
  )
}

const noContent: Pick<MatrixCell, 'value' | 'rules'> = {}

function withChoice(ids: ReadonlySet<string>, id: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(ids)
  if (isChosen) next.add(id)
  else next.delete(id)
  return next
}

function toLabel(count: number): string {
  if (count === 0) return 'Stage copies'
  return count === 1 ? 'Stage 1 copy' : `Stage ${count} copies`
}

/** Returns the edit that copies a value. The rules of a flag belong to it. */
function toEdit(row: MatrixKey, value: ConfigValue, rules: FlagRules): Edit {
  return { kind: 'set', value, ...(takesRules(row) && { rules }) }
}
