import type { StoredValue } from '../api/operations.ts'

/** Lists the rules of a key, as a request has them. */
export type Rules = NonNullable<StoredValue['rules']>

/** Describes a rule as a request has it, whose lists can be changed. */
export type Rule = Rules[number]

/** Describes a condition as a request has it. */
export type Condition = Rule['when'][number]

/** Describes what a rule serves, as a request has it. */
export type Serve = Rule['serve']
