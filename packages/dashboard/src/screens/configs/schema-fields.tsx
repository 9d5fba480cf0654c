import type { ApiProblem } from '../../api/problem.ts'
import { TextArea, TextField } from '../../components/field.tsx'

/** Lists the pointers of the errors that {@link SchemaFields} shows. */
export const schemaFieldPointers = ['/name', '/description'] as const

/** Describes a schema while it is named. */
export interface SchemaText {
  readonly name: string
  readonly description: string
}

interface SchemaFieldsProps {
  readonly text: SchemaText
  readonly nameHelp: string
  readonly problem: ApiProblem | null
  readonly onText: (text: SchemaText) => void
}

/** Renders the fields for the name and the description of a schema. */
export function SchemaFields({ text, nameHelp, problem, onText }: SchemaFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        help={nameHelp}
        error={problem?.errorOf('/name')}
        value={text.name}
        required
        spellCheck={false}
        onChange={({ target }) => onText({ ...text, name: target.value })}
      />
      <TextArea
        label="Description (optional)"
        error={problem?.errorOf('/description')}
        rows={2}
        maxLength={1000}
        value={text.description}
        onChange={({ target }) => onText({ ...text, description: target.value })}
      />
    </>
  )
}
