import { useState } from 'react'
import type { KeyDefinition } from '@signalbox/contract'
import type { ApiProblem } from '../../../api/problem.ts'
import { useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { CodeBlock } from '../../../components/code.tsx'
import { DialogActions } from '../../../components/dialog.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { describeConstraints } from '../describe-key.ts'
import { toRequiredOf } from '../environments.ts'
import { tierWords, toValueText, type MatrixEnvironment } from '../matrix.ts'
import { ConfirmationFields, isConfirmed, nothingTyped } from '../review/confirmation-fields.tsx'
import { readRequired } from '../review/read-required.ts'
import type { Required } from '../review/review-lines.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toBody } from '../use-save.ts'
import { renderDeclaration } from './render-declaration.ts'
import { toPutBody } from './to-put-body.ts'

interface AddKeyReviewProps {
  readonly schema: ConfigSchema
  readonly environments: readonly MatrixEnvironment[]
  readonly name: string
  readonly definition: KeyDefinition
  readonly onAdded: () => void
  readonly onBack: () => void
}

/** Renders the second step: the key's value in each environment, the line for the code, and the required confirmation. */
export function AddKeyReview(props: AddKeyReviewProps) {
  const { schema, environments, name, definition, onAdded, onBack } = props
  const { params } = useOrganization()
  const [typed, setTyped] = useState(nothingTyped)
  const put = useWrite('PUT /organizations/{org_id}/config-schemas/{schema_id}')
  const required = toRequired(environments, definition, put.error)
  const isReady = isConfirmed(required, typed)

  const submit = () => {
    if (!isReady || put.isPending) return
    const confirmation = toBody({ confirm: required.names, comment: typed.comment })
    put.mutate(
      {
        params: { ...params, schema_id: schema.id },
        body: { ...toPutBody(schema, name, definition), ...confirmation },
        ifMatch: schema.revision,
      },
      {
        onSuccess: () => {
          showToast({ text: `${name} was added. Declare it in your code as well.` })
          onAdded()
        },
      },
    )
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormProblem problem={put.error} />
      <p className="break-words">
        <span className="font-mono">{name}</span> is a {tierWords[definition.tier ?? 'secret']}{' '}
        {definition.type}
        {definition.required === false ? ', optional' : ', required'}
        {toConstraintsText(definition)}.
      </p>
      <Effects environments={environments} definition={definition} />
      <StayInStep name={name} definition={definition} />
      <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="primary" pending={put.isPending} disabled={!isReady}>
          Add key
        </Button>
      </DialogActions>
    </form>
  )
}

/**
 * Returns the required confirmation. A default gives every environment a value at once. Further requirements are
 * known after the server's refusal.
 */
function toRequired(
  environments: readonly MatrixEnvironment[],
  { default: preset }: KeyDefinition,
  problem: ApiProblem | null,
): Required {
  const fromEnvironments = toRequiredOf(preset === undefined ? [] : environments)
  const fromServer = readRequired(problem)
  return {
    names: [...new Set([...fromEnvironments.names, ...fromServer.names])],
    comment: fromEnvironments.comment || fromServer.comment,
  }
}

function toConstraintsText({ constraints }: KeyDefinition): string {
  const text = describeConstraints(constraints)
  return text === '' ? '' : `, ${text}`
}

interface EffectsProps {
  readonly environments: readonly MatrixEnvironment[]
  readonly definition: KeyDefinition
}

function Effects({ environments, definition }: EffectsProps) {
  const { default: preset, required } = definition
  const effect =
    preset !== undefined
      ? `receives the default ${toValueText(preset)}`
      : required === false
        ? 'has no value until it is set'
        : 'is incomplete until it is set'
  if (environments.length === 0) return null
  return (
    <ul
      aria-label="What it does in each environment"
      className="divide-y divide-line rounded-lg border border-line"
    >
      {environments.map(({ id, name }) => (
        <li key={id} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <span className="min-w-0 text-muted">{effect}</span>
        </li>
      ))}
    </ul>
  )
}

interface StayInStepProps {
  readonly name: string
  readonly definition: KeyDefinition
}

function StayInStep({ name, definition }: StayInStepProps) {
  const { section, code, from } = renderDeclaration(name, definition)
  return (
    <section aria-label="For your code" className="flex flex-col gap-2">
      <h3 className="font-semibold">For your code</h3>
      <p className="text-muted">
        Add this line to <code>{section}</code> in your definition
        {from === 'zod' ? ', with zod' : ''}, so that your code can read the key. Until then a push
        keeps it and says so, and <code>push --prune</code> removes it.
      </p>
      <CodeBlock code={code} />
    </section>
  )
}
