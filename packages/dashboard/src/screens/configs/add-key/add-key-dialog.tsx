import { useState } from 'react'
import {
  describeVariants,
  type ConfigValue,
  type KeyDefinition,
  type Tier,
} from '@signalbox/contract'
import { Dialog } from '../../../components/dialog.tsx'
import { CodeBlock } from '../../../components/code.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useWrite } from '../../../api/use-api.ts'
import { tierWords, toValueText, type Matrix, type MatrixEnvironment } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { describeConstraints } from '../describe-key.ts'
import { ReviewFooter } from '../review/review-footer.tsx'
import { useReview } from '../review/use-review.ts'
import { toBody, type Confirmation } from '../use-save.ts'
import { KeyForm } from './key-form.tsx'
import { freshDraft, readDraft } from './key-draft.ts'
import { toPutBody, type NewKey } from './to-put-body.ts'
import { renderDeclaration } from './render-declaration.ts'

interface AddKeyDialogProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly tier: Tier
  /** Called when the key exists. */
  readonly onAdded: (key: string) => void
  readonly onClose: () => void
}

/**
 * Adds a key to the schema in two steps: its definition with a value in each environment, and the effect. The second
 * step shows the line for the code.
 */
export function AddKeyDialog(props: AddKeyDialogProps) {
  const { schema, matrix, tier, onAdded, onClose } = props
  const [draft, setDraft] = useState(() => freshDraft(tier))
  const [isReviewed, setReviewed] = useState(false)
  const read = readDraft(draft, Object.keys(schema.schema))
  return (
    <Dialog
      shape="drawer"
      isForm
      title={
        isReviewed && read.ok
          ? `Review ${read.name}`
          : `Add a ${tier === 'featureFlags' ? 'flag' : 'key'}`
      }
      description={`To the schema ${schema.name}. ${isReviewed ? 'Nothing is saved yet.' : 'You review it before it is saved.'}`}
      onClose={onClose}
    >
      {isReviewed && read.ok ? (
        <AddKeyReview
          schema={schema}
          environments={matrix.environments}
          newKey={read}
          onAdded={() => onAdded(read.name)}
          onBack={() => setReviewed(false)}
        />
      ) : (
        <KeyForm
          schema={schema}
          environments={matrix.environments}
          draft={draft}
          read={read}
          body={read.ok ? toPutBody(schema, read) : undefined}
          onDraft={setDraft}
          onReview={() => setReviewed(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface AddKeyReviewProps {
  readonly schema: ConfigSchema
  readonly environments: readonly MatrixEnvironment[]
  readonly newKey: NewKey
  /** Called when the key and its values are stored. */
  readonly onAdded: () => void
  readonly onBack: () => void
}

/** Renders the second step: the key's value in each environment, the line for the code, and the required confirmation. */
function AddKeyReview(props: AddKeyReviewProps) {
  const { schema, environments, newKey, onAdded, onBack } = props
  const { name, definition } = newKey
  const { add, isPending, problem } = useAddKey(schema)
  const { onSubmit, footer } = useReview({
    environments: listChanged(environments, newKey),
    problem,
    isPending,
    mayWatch: false,
    onSave: (confirmation) =>
      add(newKey, confirmation, () => {
        showToast({ text: `Added ${name}.` })
        onAdded()
      }),
  })
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <FormProblem problem={problem} />
      <p className="break-words">
        <span className="font-mono">{name}</span> is a {toTypeText(definition)}
        {definition.required === false ? ', optional' : ', required'}
        {toConstraintsText(definition)}.
      </p>
      <Effects environments={environments} newKey={newKey} />
      <StayInStep name={name} definition={definition} />
      <ReviewFooter
        {...footer}
        back="Back"
        onBack={onBack}
        action={definition.tier === 'featureFlags' ? 'Add flag' : 'Add key'}
      />
    </form>
  )
}

/** Lists the environments that get a value, and all of them when there is a default. */
function listChanged(
  environments: readonly MatrixEnvironment[],
  { definition: { default: preset }, values }: NewKey,
): readonly MatrixEnvironment[] {
  return environments.filter(({ id }) => preset !== undefined || values.has(id))
}

function toTypeText({ tier = 'secret', type, targeted, variants }: KeyDefinition): string {
  if (tier !== 'featureFlags') {
    return `${targeted === true ? 'targeted ' : ''}${tierWords[tier]} ${type}`
  }
  return variants === undefined ? 'flag' : `flag with the variants ${describeVariants(variants)}`
}

function toConstraintsText({ constraints }: KeyDefinition): string {
  const text = describeConstraints(constraints)
  return text === '' ? '' : `, ${text}`
}

interface EffectsProps {
  readonly environments: readonly MatrixEnvironment[]
  readonly newKey: NewKey
}

function Effects({ environments, newKey }: EffectsProps) {
  if (environments.length === 0) return null
  return (
    <ul
      aria-label="Value in each environment"
      className="divide-y divide-line rounded-lg border border-line"
    >
      {environments.map((environment) => (
        <li key={environment.id} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
          <span className="min-w-0 truncate font-medium">{environment.name}</span>
          <span className="min-w-0 wrap-anywhere text-muted">
            {toEffect(environments, newKey, environment)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Describes the value of a new key in an environment: its own, the nearest parent's, the default, or none. */
function toEffect(
  environments: readonly MatrixEnvironment[],
  { definition, values }: NewKey,
  environment: MatrixEnvironment,
): string {
  const { default: preset, required, tier } = definition
  const toText = (value: ConfigValue) =>
    tier === 'secret' ? 'a new secret value (hidden)' : toValueText(value)
  const own = values.get(environment.id)
  if (own !== undefined) return toText(own)
  let parent = environments.find(({ id }) => id === environment.parentId)
  while (parent !== undefined) {
    const inherited = values.get(parent.id)
    if (inherited !== undefined) return `inherits ${toText(inherited)} from ${parent.name}`
    const { parentId } = parent
    parent = environments.find(({ id }) => id === parentId)
  }
  if (preset !== undefined) return `default ${toValueText(preset)}`
  return required === false ? 'no value' : 'needs a value'
}

function StayInStep({ name, definition }: Readonly<{ name: string; definition: KeyDefinition }>) {
  const { section, code } = renderDeclaration(name, definition)
  return (
    <section aria-label="For your code" className="flex flex-col gap-2">
      <h3 className="font-semibold">For your code</h3>
      <p className="text-muted">
        Add this line to <code>{section}</code> in your definition, so that your code can read the
        key. Until then <code>push</code> leaves it in place with a notice;{' '}
        <code>push --prune</code> removes it.
      </p>
      <CodeBlock code={code} />
    </section>
  )
}

/** Adds a key together with its values: the server stores both, or nothing. */
function useAddKey(schema: ConfigSchema) {
  const { mutate, isPending, error } = useWrite(
    'PUT /organizations/{org_id}/config-schemas/{schema_id}',
  )
  const add = (key: NewKey, confirmation: Confirmation, onDone: () => void) =>
    mutate({
      params: { schema_id: schema.id },
      body: { ...toPutBody(schema, key), ...toBody(confirmation) },
      ifMatch: schema.revision,
      onSuccess: onDone,
    })
  return { add, isPending, problem: error }
}
