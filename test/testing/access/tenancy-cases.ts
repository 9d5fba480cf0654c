import { endpoints, type EndpointShape, type OperationId } from '@signalbox/contract/rest'
import { newId } from '../../../packages/server/src/crypto/ids.ts'
import {
  draft,
  operationsWithIds,
  positionsOf,
  replaceAt,
  type Draft,
  type Position,
} from '../request-table.ts'
import { targetKinds, type TargetKind, type Target } from '../named-ids.ts'
import type { Credential } from '../target.ts'

/** Names the fault of an id. */
export type Flaw =
  | 'foreign'
  | 'foreign name'
  | 'deleted'
  | 'random'
  | 'wrong kind'
  | 'malformed'
  | 'hostile'

export type Address = 'api' | 'delivery'

/** A request with something in it that is not there for whoever sends it. */
export interface Case {
  readonly name: string
  readonly draft: Draft
  readonly credential: Credential
  readonly address: Address
  /** Those of one group have to be answered with the same bytes. Undefined for what is not even an id. */
  readonly group: string | undefined
  /** Lists the texts of the request, which may appear in the response. */
  readonly given: readonly string[]
  /** Says that the id only filters a list, so that an empty one is a correct response. */
  readonly narrows: boolean
}

/** Holds the organizations whose resources the cases name. */
export interface Cast {
  readonly own: Target
  readonly foreign: Target
  readonly deleted: Target
  readonly credentials: readonly Credential[]
  /** Send ids with every flaw. The others send those of another organization and those of nothing. */
  readonly few: readonly Credential[]
  /** Reaches every organization: to it an id is foreign only in a request about another organization. */
  readonly everywhere: Credential
}

/** At which addresses an endpoint answers. */
export function addressesOf(operationId: OperationId): readonly Address[] {
  const { listener }: EndpointShape = endpoints[operationId]
  return listener === 'delivery' ? ['api', 'delivery'] : ['api']
}

const indistinct: ReadonlySet<Flaw> = new Set(['foreign', 'foreign name', 'deleted', 'random'])

/** Every endpoint, every place of an id, every credential, every address; every flaw, by a few credentials. */
export function makeCases(cast: Cast): Case[] {
  return operationsWithIds().flatMap((operationId) => {
    const ones = onesOf(operationId, cast)
    const wholes = wholesOf(operationId, cast)
    const sentBy = (credential: Credential) => {
      if (credential === cast.everywhere) return ones.filter(({ where }) => where !== 'org_id')
      const all = [...ones, ...wholes]
      const isFew = cast.few.includes(credential)
      return isFew ? all : all.filter(({ flaw }) => flaw === 'foreign' || flaw === 'random')
    }
    return addressesOf(operationId).flatMap((address) =>
      [...cast.credentials, cast.everywhere].flatMap((credential) =>
        sentBy(credential).map((variant) => {
          const { where, flaw, ...rest } = variant
          const group = `${operationId} ${where} as ${credential.name} at the ${address}`
          return {
            ...rest,
            name: `${flaw} ${group}`,
            group: indistinct.has(flaw) ? group : undefined,
            credential,
            address,
          }
        }),
      ),
    )
  })
}

interface Variant {
  readonly where: string
  readonly narrows: boolean
  readonly flaw: Flaw
  readonly draft: Draft
  readonly given: readonly string[]
}

/** Own requests with one bad id. */
function onesOf(operationId: OperationId, cast: Cast): Variant[] {
  const valid = draft(operationId, cast.own)
  return positionsOf(operationId).flatMap((position) =>
    flawsOf(position, operationId, cast).map(([flaw, value]) => ({
      where: position.name,
      narrows: position.part === 'query' && operationId.startsWith('list'),
      flaw,
      draft: replaceAt(valid, position, value),
      given: [value],
    })),
  )
}

const freshId = (kind: TargetKind) => newId(targetKinds[kind], new Date())

/** Replaces every id by one that nothing has, and every name. */
export function makeAbsent(target: Target): Target {
  const kinds = Object.keys(targetKinds) as TargetKind[]
  return {
    ...target,
    ...Object.fromEntries(kinds.map((kind) => [kind, freshId(kind)])),
    otherEnv: freshId('env'),
    otherVer: freshId('ver'),
    envName: 'absent-production',
    schName: 'absent-app',
  }
}

/** The bad values for a position. */
function flawsOf(
  { kind }: Position,
  operationId: OperationId,
  { own, foreign, deleted }: Cast,
): [Flaw, string][] {
  if (kind === 'cursor') return cursorFlaws(foreign.cursors[operationId])
  const names: [Flaw, string][] = kind === 'org' ? [['foreign name', foreign.slug]] : []
  if (kind === 'envName') names.push(['foreign name', foreign.env])
  if (kind === 'schName') names.push(['foreign name', foreign.sch])
  return [
    ['foreign', foreign[kind]],
    ...names,
    ['deleted', deleted[kind]],
    ['random', freshId(kind)],
    ['wrong kind', kind === 'env' || kind === 'envName' ? own.sch : own.env],
    ['malformed', `${kind}_nonsense`],
    ['hostile', `${own[kind]}' or '1'='1`],
  ]
}

function cursorFlaws(foreign: string | undefined): [Flaw, string][] {
  const nonsense: [Flaw, string] = ['malformed', 'nonsense']
  if (foreign === undefined) return [nonsense]
  const forged = foreign.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  return [['foreign', foreign], ['random', forged], nonsense]
}

/** Requests that name nothing but things of the other organization, or nothing that exists. */
function wholesOf(operationId: OperationId, { foreign }: Cast): Variant[] {
  if (positionsOf(operationId).every(({ part }) => part !== 'params')) return []
  const whole = (flaw: Flaw, { cursors, ...ids }: Target): Variant => ({
    where: 'everything',
    narrows: false,
    flaw,
    draft: draft(operationId, { ...ids, cursors }),
    given: Object.values(ids),
  })
  return [whole('foreign', foreign), whole('random', makeAbsent(foreign))]
}
