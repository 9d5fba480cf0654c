import { objectOf, type JsonSchema } from './json-schema.ts'
import { kinds } from './kinds.ts'

/** Names the address of the schema on a server. */
export const schemaPath = '/signalbox.schema.json'

/** Describes the file as JSON Schema. The server has it at `/signalbox.schema.json`, for editors. */
export const fileSchema: JsonSchema = objectOf(
  {
    version: { type: 'integer', const: 1, description: 'Version of the form of this file.' },
    ...Object.fromEntries(kinds.map(({ member, schema }) => [member, schema])),
  },
  ['version'],
)

/** Renders the schema with its title, as it is published. */
export function renderFileSchema(): string {
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'signalbox.yaml',
    description: 'What `signalbox apply` creates and changes in an organization.',
    ...fileSchema,
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}
