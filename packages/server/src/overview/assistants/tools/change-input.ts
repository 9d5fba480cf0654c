import { defaultProof, Problem, type ConfigValue, type ProofTerms } from '@signalbox/contract'
import { configValue, flagRules, signalEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { ToolContext } from '../tool.ts'
import {
  environmentName,
  findSchema,
  listEnvironments,
  schemaName,
  type Schema,
} from './find-by-name.ts'

const mostKeys = 50
const keyName = z.string().max(128)

/** Describes the changes of one environment in an input. */
export const changeInput = {
  environment: environmentName,
  set: z.record(keyName, configValue).optional().describe('Value by key. Never a secret'),
  rules: z
    .record(keyName, z.array(z.record(z.string(), z.unknown())))
    .optional()
    .describe('All rules of a flag, in order, as get_key shows them; [] removes them'),
  unset: z.array(keyName).max(mostKeys).optional(),
  turn: z
    .record(keyName, z.enum(['off', 'on']))
    .optional()
    .describe('Turns a flag off for everyone, keeping value and rules aside; on brings them back'),
}

/** Describes the input that names a schema, the reason, and how the change is watched once it is live. */
export const changeFields = {
  schema: schemaName,
  comment: z.string().max(1000).optional(),
  prove: z
    .object({
      signals: z.array(z.string().max(200)).min(1).describe('Names or ids of signals'),
      minutes: z.number().int().min(1).max(1440).default(defaultProof.minutes),
      onFailure: z.enum(['restore', 'tell']).default(defaultProof.onFailure),
    })
    .optional()
    .describe('Watches the change once it is live, and takes it back when a signal turns bad'),
}

/** Describes the changes of one environment by names. */
export interface NamedChange {
  readonly environment: string
  readonly set?: Readonly<Record<string, ConfigValue>> | undefined
  readonly rules?: Readonly<Record<string, readonly unknown[]>> | undefined
  readonly unset?: readonly string[] | undefined
  readonly turn?: Readonly<Record<string, 'off' | 'on'>> | undefined
}

/** Describes the changes of one environment as the API takes them. */
export interface ApiChange extends Omit<NamedChange, 'environment'> {
  readonly environmentId: string
}

/** Returns the schema and the changes of an input by their ids. @throws {Problem} `not_found`, `validation_failed` */
export async function readChanges<C extends NamedChange>(
  context: ToolContext,
  {
    schema: ref,
    changes,
    prove,
  }: {
    readonly schema: string
    readonly changes: readonly C[]
    readonly prove?: NamedProof | undefined
  },
): Promise<{
  readonly schema: Schema
  readonly changes: readonly (ApiChange & { readonly input: C })[]
  readonly nameOf: (id: string) => string
  /** Holds how the change is watched, as the body of a request has it. */
  readonly watched: { readonly prove?: ProofTerms }
}> {
  const [schema, environments] = await Promise.all([
    findSchema(context, ref),
    listEnvironments(context),
  ])
  const named = changes.map((input) => {
    const { environment, set, unset, turn } = input
    const known = environments.find(({ id, name }) => id === environment || name === environment)
    if (known === undefined) {
      const names = environments.map(({ name }) => name).join(', ')
      throw new Problem(
        'not_found',
        `There is no such environment. The organization has: ${names}.`,
      )
    }
    const rules = input.rules && z.record(z.string(), flagRules).parse(input.rules)
    return { environmentId: known.id, set, rules, unset, turn, input }
  })
  const nameOf = (id: string) => environments.find((one) => one.id === id)?.name ?? id
  const watched = prove === undefined ? {} : { prove: await readProof(context, prove) }
  return { schema, changes: named, nameOf, watched }
}

type NamedProof = Pick<ProofTerms, 'signals' | 'minutes' | 'onFailure'>

/** @throws {Problem} `not_found` with the signals that there are */
async function readProof({ call }: ToolContext, prove: NamedProof): Promise<ProofTerms> {
  const { items } = await call(signalEndpoints.listSignals, { query: { limit: '100' } })
  const signals = prove.signals.map((ref) => {
    const known = items.find(({ id, name }) => id === ref || name === ref)
    if (known !== undefined) return known.id
    const names = items.map(({ name }) => name).join(', ')
    throw new Problem('not_found', `There is no signal ${ref}. The organization has: ${names}.`)
  })
  return { ...defaultProof, ...prove, signals }
}

/** Returns a change as the body of a request, without what was not given. */
export function toBody({ environmentId, set, rules, unset, turn }: ApiChange) {
  return {
    environmentId,
    ...(set !== undefined && { set }),
    ...(rules !== undefined && { rules }),
    ...(unset !== undefined && { unset }),
    ...(turn !== undefined && { turn }),
  }
}
