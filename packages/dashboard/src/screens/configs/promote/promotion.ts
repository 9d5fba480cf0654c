import type { AnswerOf } from '../../../api/routes.ts'

/** Names the keys that are promoted: all that have a value, or those that are selected. */
export type Extent = 'all' | 'selected'

/** Holds the ids of the schema, and of the environments to promote from and to. */
export interface Pair {
  readonly schemaId: string
  readonly fromEnvironmentId: string
  readonly toEnvironmentId: string
}

/** Describes the answer to a promotion, or to its dry run. */
export type Promotion = AnswerOf<'POST /organizations/{org_id}/config-values/promote'>
