const views = ['fields', 'definition', 'types', 'change'] as const
const panels = ['create', 'edit', 'delete'] as const

/** Describes the selected schema, as the address holds it. */
export interface SchemasSearch {
  /** Holds the id of the schema. Default all of them. */
  readonly schema?: string
  readonly view?: (typeof views)[number]
  /** Names the open dialog. `edit` and `delete` are about the schema. */
  readonly panel?: (typeof panels)[number]
}

/** Reads the address of the screen. Unknown values are left out. */
export function readSchemasSearch(search: Record<string, unknown>): SchemasSearch {
  const { schema } = search
  const view = views.find((one) => one === search['view'])
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(view !== undefined && { view }),
    ...(panel !== undefined && { panel }),
  }
}
