import { reachedNotice } from '@signalbox/contract'
import type { LivingSecret } from '../configs/summarize-configs.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

const namedMax = 3

/**
 * Lists one item for each schema and environment that has secrets which are due within two weeks. It is an error from three days
 * before.
 */
export function attentionOfDueSecrets(
  secrets: readonly LivingSecret[],
  now: Date,
): AttentionItem[] {
  const due = secrets.filter((secret) => reachedNotice(secret, now) !== undefined)
  const groups = Map.groupBy(due, ({ schemaId, environmentId }) => `${schemaId} ${environmentId}`)
  return [...groups.values()].map((here) => toItem(here, now))
}

function toItem(here: readonly LivingSecret[], now: Date): AttentionItem {
  const [first, ...others] = here.toSorted((one, other) => one.dueAt - other.dueAt)
  if (first === undefined) throw new Error('A group has a member')
  const days = reachedNotice(first, now) ?? 0
  const { schemaId, schema, environment, key, dueAt, runbook } = first
  const day = new Date(dueAt).toISOString().slice(0, 10)
  const when = days === 0 ? `was due on ${day}` : `is due on ${day}`
  const ending = first.reason === 'end' ? 'It ends then at its issuer.' : 'It has to be rotated.'
  const also = others.length === 0 ? '' : ` Also due: ${nameKeys(others)}.`
  const page = runbook === undefined ? '' : ` Runbook: ${runbook}`
  return {
    severity: days > 3 ? 'warning' : 'error',
    code: 'secret_due',
    subjectId: schemaId,
    title: `The secret ${key} ${when} in ${environment}`,
    detail: `Schema ${schema}. ${ending} Set the next value here and at its issuer.${also}${page}`,
    at: days === 0 ? new Date(dueAt).toISOString() : null,
    around: null,
    next: next('Open', {
      page: 'config',
      search: { schema: schemaId, filter: key, environment },
    }),
  }
}

/** Returns the first names and the count of the rest. Example: `a, b and 2 more`. */
function nameKeys(secrets: readonly LivingSecret[]): string {
  const named = secrets.slice(0, namedMax).map(({ key }) => key)
  const rest = secrets.length - namedMax
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}
