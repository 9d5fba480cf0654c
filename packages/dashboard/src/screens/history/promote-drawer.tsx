import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { toRequiredOf, type Environment } from '../configs/environments.ts'
import { ChangeList } from '../configs/review/change-list.tsx'
import {
  ConfirmationFields,
  isConfirmed,
  nothingTyped,
} from '../configs/review/confirmation-fields.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { toBody } from '../configs/use-save.ts'
import { usePreview, type Preview } from '../configs/use-preview.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SelectField } from '../../components/field.tsx'
import { FormProblem, Skeleton } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { KeyChoice } from './key-choice.tsx'
import type { HistoryChange, HistorySearch } from './search.ts'

interface PromoteDrawerProps {
  readonly schema: ConfigSchema
  readonly environments: readonly Environment[]
  readonly search: HistorySearch
  readonly onSearch: (change: HistoryChange) => void
  readonly onClose: () => void
}

/** Copies values from one environment to another, secrets included, after a preview. */
export function PromoteDrawer(props: PromoteDrawerProps) {
  const { schema, environments, search, onSearch, onClose } = props
  const { params } = useOrganization()
  const pair = usePair(schema, environments, search)
  const keys = search.keys ?? noKeys
  const [typed, setTyped] = useState(nothingTyped)
  const promote = useWrite('POST /organizations/{org_id}/config-values/promote')
  const preview = usePromotionPreview(pair, keys)
  const target = environments.find(({ id }) => id === pair.toEnvironmentId)
  const required = toRequiredOf(target ? [target] : [])
  const isReady = (preview.answer?.changes.length ?? 0) > 0 && isConfirmed(required, typed)

  const submit = () => {
    if (!isReady || promote.isPending) return
    const confirmation = toBody({ confirm: required.names, comment: typed.comment })
    promote.mutate(
      { params, body: { ...pair, ...(keys.length > 0 && { keys: [...keys] }), ...confirmation } },
      {
        onSuccess: () => {
          showToast({ text: `Promoted to ${target?.name ?? ''}.` })
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
        <KeyChoice schema={schema} chosen={keys} onChoose={(next) => onSearch({ keys: next })} />
        <PromotionPreview isPair={isPair(pair)} preview={preview} target={target?.name ?? ''} />
        <FormProblem problem={promote.error ?? preview.problem ?? null} />
        <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={promote.isPending} disabled={!isReady}>
            Promote
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

/** Returns the environments that the address names, or the first two. */
function usePair(
  { id: schemaId }: ConfigSchema,
  [first, second]: readonly Environment[],
  { from, to }: HistorySearch,
): Pair {
  const fromEnvironmentId = from ?? first?.id ?? ''
  const toEnvironmentId = to ?? second?.id ?? ''
  return useMemo(
    () => ({ schemaId, fromEnvironmentId, toEnvironmentId }),
    [schemaId, fromEnvironmentId, toEnvironmentId],
  )
}

function isPair({ fromEnvironmentId, toEnvironmentId }: Pair): boolean {
  return fromEnvironmentId !== '' && toEnvironmentId !== '' && fromEnvironmentId !== toEnvironmentId
}

type Promotion = AnswerOf<'POST /organizations/{org_id}/config-values/promote'>

/** Returns what the promotion would change, by a dry run. */
function usePromotionPreview(pair: Pair, keys: readonly string[]): Preview<Promotion> {
  const { id: orgId } = useOrganization()
  const ask = useMemo(() => {
    if (!isPair(pair)) return undefined
    const body = { ...pair, ...(keys.length > 0 && { keys: [...keys] }), dryRun: true }
    return (signal: AbortSignal) =>
      call(
        'POST /organizations/{org_id}/config-values/promote',
        { params: { org_id: orgId }, body },
        signal,
      )
  }, [pair, keys, orgId])
  return usePreview(ask)
}

interface PromotionPreviewProps {
  readonly isPair: boolean
  readonly preview: Preview<Promotion>
  readonly target: string
}

function PromotionPreview({ isPair, preview, target }: PromotionPreviewProps) {
  const { answer, problem } = preview
  if (!isPair) return <p className="text-muted">Choose two different environments.</p>
  if (answer === undefined) return problem === undefined ? <Skeleton lines={3} /> : null
  return (
    <ChangeList
      label={`Changes in ${target}`}
      changes={answer.changes}
      empty="Nothing would change: the values are the same."
    />
  )
}

interface PairFieldsProps {
  readonly pair: Pair
  readonly environments: readonly Environment[]
  readonly onSearch: (change: HistoryChange) => void
}

function PairFields({ pair, environments, onSearch }: PairFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
      <EnvironmentField
        label="From"
        value={pair.fromEnvironmentId}
        environments={environments}
        onPick={(from) => onSearch({ from })}
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
  readonly environments: readonly Environment[]
  readonly onPick: (environmentId: string) => void
}

function EnvironmentField({ label, value, environments, onPick }: EnvironmentFieldProps) {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onPick(target.value)}>
      {environments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
