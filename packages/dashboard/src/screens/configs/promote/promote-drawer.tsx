import { useState } from 'react'
import type { Matrix } from '../matrix.ts'
import { ChangeList } from '../review/change-list.tsx'
import { ReviewFooter } from '../review/review-footer.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { countChanges } from '../staged.ts'
import type { Preview } from '../use-preview.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FormProblem, Skeleton } from '../../../components/states.tsx'
import type { MatrixSearch } from '../workspace/search.ts'
import { ExceptionsField } from './exceptions-field.tsx'
import { KeysField } from './keys-field.tsx'
import { PairFields } from './pair-fields.tsx'
import type { Extent, Promotion } from './promotion.ts'
import { listSetKeys, noKeys, usePromotion } from './use-promotion.ts'

interface PromoteDrawerProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly search: MatrixSearch
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
  const { schema, matrix, search, onSearch, onClose } = props
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
        <PairFields pair={promotion.pair} environments={matrix.environments} onSearch={onSearch} />
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
