import type { DefaultsOfNothing } from '../configs/summarize-configs.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

const namedMax = 3

/**
 * Lists one item for each schema that has defaults such as the text `undefined`, which a coercion made before a push
 * refused them. It names the keys and not the texts: one may be the value of a secret.
 */
export function attentionOfDefaults(schemas: readonly DefaultsOfNothing[]): AttentionItem[] {
  return schemas.map(({ schemaId, schema, keys }) => {
    const named = keys.slice(0, namedMax).join(', ')
    const rest = keys.length > namedMax ? ` and ${keys.length - namedMax} more` : ''
    const [have, they] = keys.length === 1 ? ['has a default', 'it'] : ['have defaults', 'them']
    return {
      severity: 'error',
      code: 'default_of_nothing',
      subjectId: schemaId,
      title: `${named}${rest} ${have} that anyone can guess`,
      detail: `Schema ${schema}. The default is a text that programs write for a missing value, such as “undefined” or “null”. Set ${they} in each environment, then push the definition again.`,
      at: null,
      next: next('Show', { page: 'config', search: { schema: schemaId } }),
    }
  })
}
