import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FormProblem, Skeleton } from '../../../components/states.tsx'
import { SelectField } from '../../../components/field.tsx'
import type { GridModel } from '../grid/grid-model.ts'
import type { Matrix, MatrixEnvironment } from '../matrix.ts'
import { ChangeList } from '../review/change-list.tsx'
import { SuspectList } from '../review/no-secret.tsx'
import { ReviewFooter } from '../review/review-footer.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { countChanges } from '../staged.ts'
import type { Preview } from '../use-preview.ts'
import type { MatrixSearch } from '../workspace/search.ts'
import { ExceptionsField } from './exceptions-field.tsx'
import type { Extent, Pair, Promotion } from './promotion.ts'
import { listSetKeys, noKeys, usePromotion } from './use-promotion.ts'
import { KeyChoice } from './key-choice.tsx'

interface PromoteDrawerProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly search: MatrixSearch
  readonly model: GridModel
  readonly onSearch: (change: MatrixSearch) => void
  readonly onClose: () => void
}

const exceptionLabels = {
  expectedToDiffer: 'Keys that are expected to differ',
  secret: 'Secrets',
  turnedOff: 'Flags that are turned off in one of the two environments',
}

/** Copies values from one environment to another, secrets where they are asked for, after a preview. */
export function PromoteDrawer(props: PromoteDrawerProps) {
  const { schema, matrix, search, model, onSearch, onClose } = props
  const keys = search.keys ?? noKeys
  const [extent, setExtent] = useState<Extent | undefined>(keys.length > 0 ? 'selected' : undefined)
  const promotion = usePromotion({ matrix, search, extent, onDone: onClose })
  const { count, source, target } = promotion
  return (
    <Dialog
      shape="drawer"
      isForm
      title="Promote values"
      description="Copies values from one environment to another. Secrets are copied without showing them."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={promotion.onSubmit}>
        <PairFields
          pair={promotion.pair}
          environments={matrix.environments}
          model={model}
          onSearch={onSearch}
        />
        {source && (
          <KeysField
            schema={schema}
            offered={listSetKeys(matrix, source)}
            source={source.name}
            extent={extent}
            chosen={keys}
            onExtent={setExtent}
            onChoose={(next) => onSearch({ keys: next })}
          />
        )}
        {extent === 'all' && promotion.obstacle === undefined && (
          <ExceptionsField labels={exceptionLabels} {...promotion.exceptions} />
        )}
        <PromotionPreview
          obstacle={promotion.obstacle}
          preview={promotion.preview}
          target={target?.name ?? ''}
        />
        <SuspectList {...promotion.plain} />
        <FormProblem problem={promotion.problem} />
        <ReviewFooter
          {...promotion.footer}
          onBack={onClose}
          action={count > 0 ? `Promote ${countChanges(count)}` : 'Promote'}
        />
      </form>
    </Dialog>
  )
}

interface PromotionPreviewProps {
  /** Names what is still to be chosen. */
  readonly obstacle: string | undefined
  readonly preview: Preview<Promotion>
  readonly target: string
}

function PromotionPreview({ obstacle, preview, target }: PromotionPreviewProps) {
  const { answer, problem } = preview
  if (obstacle !== undefined) return <p className="text-muted">{obstacle}</p>
  if (answer === undefined) return problem === undefined ? <Skeleton lines={3} /> : null
  return (
    <ChangeList
      label={`Changes in ${target}`}
      changes={answer.changes}
      empty={
        answer.leftOut.length > 0
          ? 'No change but in what is left out.'
          : 'No change: the values are the same.'
      }
    />
  )
}

interface PairFieldsProps {
  readonly pair: Pair
  readonly environments: readonly MatrixEnvironment[]
  readonly model: GridModel
  readonly onSearch: (change: MatrixSearch) => void
}

/** Lets a person choose the environments to promote from and to: to those in which they may write. */
function PairFields({ pair, environments, model, onSearch }: PairFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
      <EnvironmentField
        label="From"
        value={pair.fromEnvironmentId}
        environments={environments}
        onPick={(from) => onSearch({ from, keys: undefined })}
      />
      <EnvironmentField
        label="To"
        value={pair.toEnvironmentId}
        environments={environments.filter(({ id }) => model.may('writeValues', id))}
        onPick={(to) => onSearch({ to })}
      />
    </div>
  )
}

interface EnvironmentFieldProps {
  readonly label: string
  readonly value: string
  readonly environments: readonly MatrixEnvironment[]
  readonly onPick: (name: string | undefined) => void
}

function EnvironmentField({ label, value, environments, onPick }: EnvironmentFieldProps) {
  const nameOf = (id: string) => environments.find((one) => one.id === id)?.name
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onPick(nameOf(target.value))}
    >
      {value === '' && <option value="">Choose…</option>}
      {environments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

interface KeysFieldProps {
  readonly schema: ConfigSchema
  /** Lists the keys that have a value in the source. */
  readonly offered: readonly string[]
  /** Names the environment to promote from. */
  readonly source: string
  readonly extent: Extent | undefined
  readonly chosen: readonly string[]
  readonly onExtent: (extent: Extent) => void
  readonly onChoose: (keys: readonly string[]) => void
}

/** Lets a person promote all keys, or choose some. */
function KeysField(props: KeysFieldProps) {
  const { schema, offered, source, extent, chosen, onExtent, onChoose } = props
  return (
    <>
      <ExtentField extent={extent} source={source} onExtent={onExtent} />
      {extent === 'selected' && (
        <KeyChoice schema={schema} offered={offered} chosen={chosen} onChoose={onChoose} />
      )}
    </>
  )
}

interface ExtentFieldProps {
  readonly extent: Extent | undefined
  readonly source: string
  readonly onExtent: (extent: Extent) => void
}

function ExtentField({ extent, source, onExtent }: ExtentFieldProps) {
  const labels = {
    all: `All keys set in ${source}`,
    selected: 'Only selected keys',
  } as const
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Which keys</legend>
      {(['all', 'selected'] as const).map((one) => (
        <label key={one} className="flex min-h-7 items-center gap-2">
          <input
            type="radio"
            name="extent"
            className="size-4 shrink-0 accent-accent"
            checked={extent === one}
            onChange={() => onExtent(one)}
          />
          <span className="min-w-0 wrap-anywhere">{labels[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}
