import { useMemo, useState } from 'react'
import { call } from '../../../api/call.ts'
import type { AnswerOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { toRequiredOf } from '../environments.ts'
import type { Matrix, MatrixEnvironment } from '../matrix.ts'
import { ChangeList } from '../review/change-list.tsx'
import { ConfirmationFields, isConfirmed, nothingTyped } from '../review/confirmation-fields.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toBody } from '../use-save.ts'
import { countChanges } from '../staged.ts'
import { usePreview, type Preview } from '../use-preview.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { SelectField } from '../../../components/field.tsx'
import { FormProblem, Skeleton } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { KeyChoice } from './key-choice.tsx'
import type { MatrixSearch, SearchChange } from '../workspace/search.ts'

interface PromoteDrawerProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  readonly onClose: () => void
}

/** Names the keys that are promoted: all that have a value, or those that are selected. */
type Extent = 'all' | 'selected'

/** Copies values from one environment to another, secrets included, after a preview. */
export function PromoteDrawer(props: PromoteDrawerProps) {
  const { schema, matrix, search, onSearch, onClose } = props
  const { environments } = matrix
  const { params } = useOrganization()
  const pair = usePair(matrix, search)
  const keys = search.keys ?? noKeys
  const [extent, setExtent] = useState<Extent | undefined>(keys.length > 0 ? 'selected' : undefined)
  const [typed, setTyped] = useState(nothingTyped)
  const promote = useWrite('POST /organizations/{org_id}/config-values/promote')
  const chosenKeys = extent === 'selected' ? keys : noKeys
  const obstacle = findObstacle(pair, extent, chosenKeys)
  const preview = usePromotionPreview(pair, chosenKeys, obstacle === undefined)
  const source = environments.find(({ id }) => id === pair.fromEnvironmentId)
  const target = environments.find(({ id }) => id === pair.toEnvironmentId)
  const required = toRequiredOf(target ? [target] : [])
  const count = preview.answer?.changes.length ?? 0
  const isReady = count > 0 && isConfirmed(required, typed)

  const submit = () => {
    if (!isReady || promote.isPending) return
    const confirmation = toBody({ confirm: required.names, comment: typed.comment })
    promote.mutate(
      {
        params,
        body: {
          ...pair,
          ...(chosenKeys.length > 0 && { keys: [...chosenKeys] }),
          ...confirmation,
        },
      },
      {
        onSuccess: () => {
          showToast({ text: `Promoted ${countChanges(count)} to ${target?.name ?? ''}.` })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      shape="drawer"
      isForm
      title="Promote values"
      description="Copies what one environment sets to another, secrets included. Secrets are not shown."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <PairFields pair={pair} environments={environments} onSearch={onSearch} />
        {source && (
          <ExtentField
            extent={extent}
            count={listSetKeys(matrix, source).length}
            source={source.name}
            onExtent={setExtent}
          />
        )}
        {source && extent === 'selected' && (
          <KeyChoice
            schema={schema}
            offered={listSetKeys(matrix, source)}
            chosen={keys}
            onChoose={(next) => onSearch({ keys: next })}
          />
        )}
        <PromotionPreview obstacle={obstacle} preview={preview} target={target?.name ?? ''} />
        <FormProblem problem={promote.error ?? preview.problem ?? null} />
        <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={promote.isPending} disabled={!isReady}>
            {count > 0 ? `Promote ${countChanges(count)}` : 'Promote'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface Pair {
  readonly schemaId: string
  readonly fromEnvironmentId: string
  readonly toEnvironmentId: string
}

const noKeys: readonly string[] = []

/** Returns the environments that the address names. The source is the first one otherwise; the target is chosen. */
function usePair({ schema, environments }: Matrix, { from, to }: MatrixSearch): Pair {
  const idOf = (name: string | undefined) => environments.find((one) => one.name === name)?.id
  const fromEnvironmentId = idOf(from) ?? environments[0]?.id ?? ''
  const toEnvironmentId = idOf(to) ?? ''
  return useMemo(
    () => ({ schemaId: schema.id, fromEnvironmentId, toEnvironmentId }),
    [schema.id, fromEnvironmentId, toEnvironmentId],
  )
}

/** Returns what is still to be chosen. */
function findObstacle(
  { fromEnvironmentId, toEnvironmentId }: Pair,
  extent: Extent | undefined,
  keys: readonly string[],
): string | undefined {
  if (toEnvironmentId === '') return 'Choose the environment to promote to.'
  if (fromEnvironmentId === toEnvironmentId) return 'Choose two different environments.'
  if (extent === undefined) return 'Choose which keys to promote.'
  return extent === 'selected' && keys.length === 0 ? 'Select at least one key.' : undefined
}

/** Lists the keys that have a value in an environment, its own or an inherited one. */
function listSetKeys({ environments, keys }: Matrix, { id }: MatrixEnvironment): readonly string[] {
  const at = environments.findIndex((environment) => environment.id === id)
  return keys.flatMap(({ key, cells }) => {
    const source = cells[at]?.source
    return source === 'set' || source === 'inherited' ? [key] : []
  })
}

interface ExtentFieldProps {
  readonly extent: Extent | undefined
  readonly count: number
  readonly source: string
  readonly onExtent: (extent: Extent) => void
}

function ExtentField({ extent, count, source, onExtent }: ExtentFieldProps) {
  const noun = count === 1 ? 'key' : 'keys'
  const labels = {
    all: `All ${count} ${noun} set in ${source}`,
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

type Promotion = AnswerOf<'POST /organizations/{org_id}/config-values/promote'>

/** Returns what the promotion would change, by a dry run. */
function usePromotionPreview(
  pair: Pair,
  keys: readonly string[],
  isComplete: boolean,
): Preview<Promotion> {
  const { id: orgId } = useOrganization()
  const ask = useMemo(() => {
    if (!isComplete) return undefined
    const body = { ...pair, ...(keys.length > 0 && { keys: [...keys] }), dryRun: true }
    return (signal: AbortSignal) =>
      call(
        'POST /organizations/{org_id}/config-values/promote',
        { params: { org_id: orgId }, body },
        signal,
      )
  }, [pair, keys, isComplete, orgId])
  return usePreview(ask)
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
      empty="No change: the values are the same."
    />
  )
}

interface PairFieldsProps {
  readonly pair: Pair
  readonly environments: readonly MatrixEnvironment[]
  readonly onSearch: (change: SearchChange) => void
}

function PairFields({ pair, environments, onSearch }: PairFieldsProps) {
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
        environments={environments}
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
      {value === '' && <option value="">Choose …</option>}
      {environments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
