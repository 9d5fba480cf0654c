import { Problem } from '@signalbox/contract'
import type { BrowserItem } from '../browser/browser-item.ts'
import type { Reader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import { answerRepresentation, type AnswerAllowance, type Exchange } from '../http/answer.ts'
import { chooseCoding } from '../http/coding.ts'
import { pickRepresentation } from '../http/encoded-body.ts'
import { getByNames, type SnapshotNames } from '../http/find-by-names.ts'
import type { HeaderPolicies } from '../http/header-policy.ts'

/** Lists what definitions of flagd are answered from. */
export interface FlagdAnswersDeps {
  /** Holds the snapshots for browsers, with the rules. Nothing here can reach a secret. */
  readonly snapshots: SnapshotStore<BrowserItem>
  readonly policies: Pick<HeaderPolicies, 'private'>
}

/** Describes a request for a definition. */
export interface FlagdRead {
  readonly exchange: Exchange
  readonly reader: Reader
  readonly allowance: AnswerAllowance
}

/** Answers flagd's definition of the flags of an environment, from memory. */
export interface FlagdAnswers {
  /** Sends the definition; 304 when the caller has it. */
  definition(read: FlagdRead, names: SnapshotNames): void
}

/** Creates the answers to server keys and people. */
export function createFlagdAnswers({ snapshots, policies }: FlagdAnswersDeps): FlagdAnswers {
  return {
    definition({ exchange, reader, allowance }, names) {
      refuseBrowserKey(reader)
      const body = getByNames(snapshots, reader, names).flagd()
      const coding = chooseCoding(exchange.request.headers['accept-encoding'])
      const representation = pickRepresentation(body, coding)
      answerRepresentation(exchange, representation, policies.private, allowance)
    },
  }
}

/** Refuses a browser key, because rules name customers. @throws {Problem} `key_kind_forbidden` */
export function refuseBrowserKey(reader: Reader): void {
  if (reader.type === 'person' || reader.kind === 'm2m') return
  throw new Problem(
    'key_kind_forbidden',
    'The definition has the rules of the flags, which a browser key may not read. Use a server key.',
  )
}
