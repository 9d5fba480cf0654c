import { oneOf, readSearch, text } from '../address-values.ts'

const readView = oneOf('fields', 'change', 'code')
/** Lists views that had tabs of their own. Links to them lead to what is for the code. */
const codeViews: ReadonlySet<unknown> = new Set(['definition', 'types'])

/** Reads the selected schema from the address. */
export const readSchemasSearch = readSearch({
  /** Holds the id of the schema. Default all of them. */
  schema: text,
  view: (value) => readView(codeViews.has(value) ? 'code' : value),
  /** Names the open dialog. `edit` and `delete` are about the schema. */
  panel: oneOf('create', 'edit', 'delete'),
})

/** Describes the selected schema, as the address holds it. */
export type SchemasSearch = ReturnType<typeof readSchemasSearch>
