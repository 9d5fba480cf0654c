/** Which schema is looked at, as the address says it. */
export interface SchemasSearch {
  /** The schema's id; left out: all of them. */
  readonly schema?: string
  readonly view?: 'fields' | 'definition' | 'change'
}

const views = ['fields', 'definition', 'change'] as const

export function readSchemasSearch(search: Record<string, unknown>): SchemasSearch {
  const { schema } = search
  const view = views.find((one) => one === search['view'])
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(view !== undefined && { view }),
  }
}
