import type { ConfigSummaries, MissingKeys } from '../configs/summarize-configs.ts'
import type { EnvironmentStatus } from '../read-models/overview/overview-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

type Environment = Pick<EnvironmentStatus, 'id' | 'name' | 'production'>

interface Gap extends MissingKeys {
  readonly environment: Environment
}

/** Lists one item for each schema that has required keys without a value, which names them. */
export function attentionOfMissingKeys(
  environments: readonly Environment[],
  configs: ConfigSummaries['environments'],
): AttentionItem[] {
  const bySchema = new Map<string, Gap[]>()
  const productionFirst = environments.toSorted(
    (one, other) => Number(other.production) - Number(one.production),
  )
  for (const environment of productionFirst) {
    for (const missing of configs.get(environment.id)?.missingIn ?? []) {
      const gaps = bySchema.get(missing.schemaId) ?? []
      gaps.push({ ...missing, environment })
      bySchema.set(missing.schemaId, gaps)
    }
  }
  return [...bySchema.values()].flatMap(toAttention)
}

function toAttention(gaps: readonly Gap[]): AttentionItem[] {
  const [first] = gaps
  if (first === undefined) return []
  const { schemaId, schema, environment } = first
  const where = gaps.length === 1 ? environment.name : `${gaps.length} environments`
  return [
    {
      severity: environment.production ? 'error' : 'warning',
      code: 'missing_keys',
      subjectId: schemaId,
      title: `${nameKeys(gaps)} in ${where}`,
      detail: toDetail(gaps, schema),
      at: null,
      next: next('Fill in', {
        page: 'config',
        search: {
          schema: schemaId,
          // One environment would hide keys that the title names.
          ...(gaps.length === 1 && { environment: environment.name }),
          only: 'missing',
        },
      }),
    },
  ]
}

const namedMax = 3

/** Returns the names of the first keys. Example: `apiUrl, token and 2 more have no value`. */
function nameKeys(gaps: readonly Gap[]): string {
  const named = [...new Set(gaps.flatMap(({ keys }) => keys))]
  const names = named.slice(0, namedMax)
  // The names of one environment are limited, so the rest is counted where there are most.
  const total = Math.max(named.length, ...gaps.map(({ count }) => count))
  if (total > names.length)
    return `${names.join(', ')} and ${total - names.length} more have no value`
  const last = names.at(-1) ?? ''
  if (names.length === 1) return `${last} has no value`
  return `${names.slice(0, -1).join(', ')} and ${last} have no value`
}

/** Returns the consequence, with the count of each environment where several have gaps. */
function toDetail(gaps: readonly Gap[], schema: string): string {
  const keys = new Set(gaps.flatMap((gap) => gap.keys))
  const what = keys.size === 1 ? 'this key' : 'these keys'
  const [first] = gaps
  if (first !== undefined && gaps.length === 1)
    return `Apps in ${first.environment.name} get no value for ${what} of the schema ${schema}.`
  const counts = gaps.map(({ environment, count }) => `${environment.name} (${count})`)
  return `Schema ${schema}: ${counts.join(', ')}. Apps there get no value for ${what}.`
}
