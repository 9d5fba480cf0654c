import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useList, useWrite } from '../../api/use-api.ts'
import { SelectField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useEnvironments } from '../configs/environments.ts'
import type { Signal } from '../proofs/use-signals.ts'
import { ReadingText } from './reading-text.tsx'
import { hasPlaceholder } from './signal-draft.ts'

interface TestSignalDialogProps {
  readonly signal: Signal
  readonly onClose: () => void
}

/** Reads a signal now and shows what it says. A query about a change asks for an environment and a schema first. */
export function TestSignalDialog({ signal, onClose }: TestSignalDialogProps) {
  const route = 'POST /organizations/{org_id}/signals/{signal_id}/test'
  const test = useWrite(route)
  const [reading, setReading] = useState<AnswerOf<typeof route>>()
  const [subject, setSubject] = useState({ environmentId: '', schemaId: '' })
  const needsSubject = hasPlaceholder(signal.spec)
  return (
    <FormDialog
      validates
      title={`Test ${signal.name}`}
      description="Signalbox reads it now. No change is judged by that."
      write={test}
      submitLabel={reading === undefined ? 'Read it now' : 'Read it again'}
      onSubmit={() =>
        test.mutate({
          params: { signal_id: signal.id },
          body: needsSubject ? subject : {},
          onSuccess: setReading,
        })
      }
      onClose={onClose}
    >
      {needsSubject && <SubjectFields subject={subject} onSubject={setSubject} />}
      <div role="status">{reading && <ReadingText reading={reading} />}</div>
    </FormDialog>
  )
}

interface Subject {
  readonly environmentId: string
  readonly schemaId: string
}

interface SubjectFieldsProps {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
}

function SubjectFields({ subject, onSubject }: SubjectFieldsProps) {
  const { data: environments = [] } = useEnvironments()
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', {
    query: { limit: 100 },
  })
  return (
    <>
      {(
        [
          ['Environment', 'environmentId', environments],
          ['Schema', 'schemaId', schemas],
        ] as const
      ).map(([label, member, options]) => (
        <SelectField
          key={member}
          label={label}
          required
          value={subject[member]}
          onChange={({ target }) => onSubject({ ...subject, [member]: target.value })}
        >
          <option value="">Choose one</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      ))}
    </>
  )
}
