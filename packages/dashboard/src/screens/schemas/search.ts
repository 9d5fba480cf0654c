const views = ['fields', 'change', 'code'] as const
/** Lists views that had tabs of their own. Links to them lead to what is for the code. */
const codeViews: ReadonlySet<unknown> = new Set(['definition', 'types'])
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
  const view = codeViews.has(search['view']) ? 'code' : views.find((one) => one === search['view'])
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(view !== undefined && { view }),
    ...(panel !== undefined && { panel }),
  }
}
