import { isOverdue } from '@signalbox/contract'
import type { EndingFlags } from '../configs/summarize-configs.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

const namedMax = 3

/** Lists one item for each schema that has flags past their end date, which names them. */
export function attentionOfOverdueFlags(
  ending: readonly EndingFlags[],
  now: Date,
): AttentionItem[] {
  return ending.flatMap(({ schemaId, schema, flags }): AttentionItem[] => {
    const overdue = flags.filter((flag) => isOverdue(flag, now)).map(({ key }) => key)
    if (overdue.length === 0) return []
    const they = overdue.length === 1 ? 'it' : 'them'
    return [
      {
        severity: 'warning',
        code: 'flags_overdue',
        subjectId: schemaId,
        title: nameFlags(overdue),
        detail: `Schema ${schema}. Remove ${they} from your code and delete ${they} here, or set a later date.`,
        at: null,
        next: next('Show', { page: 'flags', search: { schema: schemaId, only: 'overdue' } }),
      },
    ]
  })
}

/** Returns the count and the first names. Example: `2 flags are past their end date: a, b`. */
function nameFlags(keys: readonly string[]): string {
  const named = keys.slice(0, namedMax).join(', ')
  const rest = keys.length - namedMax
  if (keys.length === 1) return `1 flag is past its end date: ${named}`
  const more = rest > 0 ? ` and ${rest} more` : ''
  return `${keys.length} flags are past their end date: ${named}${more}`
}
